package io.cairn.lab.bench.staging;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Region;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.lab.bench.staging.StagingReport.Parameters;
import io.cairn.lab.bench.staging.StagingReport.Way;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A training of iterations with a fixed amount of work. Every iteration is captured at DEVICE, and
 * the last of each pattern goes to STORE.
 *
 * @param mib of the state
 * @param iterations of a pattern
 * @param patterns that calibrate the model, and as many that are measured
 * @param rounds of work in an iteration
 */
record StagingBenchmark(int mib, int iterations, int patterns, long rounds) {
  private static final int MIB = 1 << 20;

  /** The job of the training and of its staging node. */
  static final String JOB = "bench-staging";

  private static final double NANOS = 1e9;
  private static final int TRIES = 20;

  /** A server that was idle reads as much at once as its rate allows in this time. */
  private static final double CREDIT_SECONDS = 1;

  /** Patterns that warm up. */
  private static final int WARM_UP = 2;

  /** Never due in this run. */
  private static final int NEVER = 1 << 20;

  /** The rounds of work that take so long on this machine, by the fastest of some tries. */
  static long roundsOf(double seconds) {
    long rounds = 1 << 22;
    long fastest = Long.MAX_VALUE;
    for (int i = 0; i < TRIES; i++) { // the first ones compile it
      long begin = System.nanoTime();
      if (work(rounds) == 0) {
        throw new IllegalStateException("an odd number became 0");
      }
      fastest = Math.min(fastest, System.nanoTime() - begin);
    }
    return Math.max(1, (long) (rounds * seconds * NANOS / fastest));
  }

  /** Work that reads and writes no memory, so that only a processor can be short. */
  private static long work(long rounds) {
    long state = 1;
    for (long i = 0; i < rounds; i++) {
      state = state * 6364136223846793005L + 1442695040888963407L;
    }
    return state;
  }

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
        measured.figures(iterations, workSeconds),
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
      Map<String, String> settings = new HashMap<>(more);
      settings.put("job", JOB);
      settings.put("store", scratch.onDisk("store").toString());
      settings.put("node.dir", scratch.inMemory("node").toString());
      settings.put("device.dir", scratch.inMemory("device").toString());
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
        state.putLong(0, work(rounds) + iteration);
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
