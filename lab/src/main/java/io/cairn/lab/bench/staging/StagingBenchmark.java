package io.cairn.lab.bench.staging;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Region;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.lab.bench.staging.PatternClock.Costs;
import io.cairn.lab.bench.staging.PatternClock.Parameters;
import io.cairn.lab.measure.Burn;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A training of iterations with a fixed amount of work. Every iteration is captured at DEVICE, and
 * the last of each pattern goes to STORE.
 *
 * @param mib of the state
 * @param iterations of a pattern
 * @param patterns that calibrate the model, and as many that are measured
 * @param millis of work in an iteration
 */
record StagingBenchmark(int mib, int iterations, int patterns, double millis, Burn burn) {
  private static final int MIB = 1 << 20;

  /** The job of the training and of its staging node. */
  static final String JOB = "bench-staging";

  /** A server that was idle reads as much at once as its rate allows in this time. */
  private static final double CREDIT_SECONDS = 1;

  /** Patterns that warm up. */
  private static final int WARM_UP = 2;

  /** Never due in this run. */
  private static final int NEVER = 1 << 20;

  /**
   * One way to STORE.
   *
   * @param bytesPerSecond bound on the rate; 0 for none
   * @param parameters of the model, from the first half of the run
   * @param measured in the second half
   * @param predicted by the model with these parameters
   * @param leastSealSeconds what the bound on the rate alone takes, less the second's worth that an
   *     idle server reads at once; 0 without a bound
   * @param sealed checkpoints of the second half that reached STORE
   */
  record Way(
      String name,
      long bytesPerSecond,
      Parameters parameters,
      Costs measured,
      Costs predicted,
      double leastSealSeconds,
      int sealed) {}

  /** The seconds of an iteration's work, in a training that sends nothing to STORE. */
  double quietSeconds(Scratch scratch) throws IOException {
    try (Training training = new Training(scratch, "quiet", Map.of(), NEVER)) {
      training.run(WARM_UP);
      return training.run(patterns).quietSeconds();
    }
  }

  /** Its own process writes to STORE. */
  Way byOwner(Scratch scratch, double workSeconds) throws IOException {
    try (Training training = new Training(scratch, "owner", Map.of(), iterations)) {
      return way("owner", 0, training, workSeconds);
    }
  }

  /** A process without ranks writes to STORE. */
  Way byServer(Scratch scratch, double workSeconds, long bytesPerSecond) throws IOException {
    try (StagingNode node = new StagingNode(scratch, bytesPerSecond);
        Training training = new Training(scratch, "staged", Map.of("staging", "1"), iterations)) {
      node.join(training.cairn);
      Way way = way("staging node", bytesPerSecond, training, workSeconds);
      if (node.stagedBytes() == 0) {
        throw new IOException("the training's own process wrote to STORE, and no staging node did");
      }
      return way;
    }
  }

  private Way way(String name, long rate, Training training, double workSeconds) {
    training.run(WARM_UP);
    Parameters known = training.run(patterns).parameters(workSeconds);
    PatternClock measured = training.run(patterns);
    return new Way(
        name,
        rate,
        known,
        measured.costs(iterations, workSeconds),
        PatternClock.predicted(known, iterations),
        rate == 0 ? 0 : Math.max(0, (double) mib * MIB / rate - CREDIT_SECONDS),
        measured.sealedCount());
  }

  /** One training, with directories that are deleted by their owner. */
  private final class Training implements AutoCloseable {
    private final CairnEngine cairn;
    private final Checkpointer checkpointer;
    private final ByteBuffer state = ByteBuffer.allocateDirect(mib * MIB);
    private long iteration = 1; // 0 goes to every level

    Training(Scratch scratch, String group, Map<String, String> more, int storeEvery)
        throws IOException {
      Map<String, String> settings = scratch.settings(JOB);
      settings.putAll(more);
      settings.put("device.cacheSize", String.valueOf(4L * mib * MIB));
      settings.put("device.every", "1");
      settings.put("node.every", String.valueOf(storeEvery));
      settings.put("store.every", String.valueOf(storeEvery));
      cairn = CairnEngine.open(CairnConfig.of(settings));
      checkpointer = cairn.join(group);
      SplittableRandom random = new SplittableRandom(mib);
      while (state.hasRemaining()) {
        state.putLong(random.nextLong());
      }
      checkpointer.protect(Region.of("state", state.clear()));
      if (checkpointer.restore().isPresent()) {
        throw new IOException("a training of the name " + group + " was there before");
      }
    }

    /** Runs some patterns; waits until their checkpoints have arrived. */
    PatternClock run(int times) {
      PatternClock clock = new PatternClock();
      for (long i = 0; i < (long) times * iterations; i++, iteration++) {
        boolean busy = clock.isBusy();
        long begin = System.nanoTime();
        burn.millis(millis);
        state.putLong(0, iteration);
        long worked = System.nanoTime();
        clock.worked(worked - begin, busy);
        CheckpointTicket ticket = checkpointer.checkpoint(iteration);
        ticket.captured().join();
        clock.captured(System.nanoTime() - worked, ticket);
      }
      clock.sealedCount();
      return clock;
    }

    @Override
    public void close() {
      checkpointer.close();
      cairn.close();
    }
  }
}
