package io.cairn.lab.bench.failover;

import io.cairn.Cairn;
import io.cairn.Checkpointer;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RestoreReport;
import io.cairn.lab.bench.failover.RankEvent.What;
import io.cairn.lab.measure.RankFiles;
import io.cairn.spark.standby.RankBody;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Independent ranks whose every iteration depends on all before it, so that the digest at the end
 * shows whether one was lost or repeated. The computation of an iteration is a pause: a training on
 * a GPU leaves the processor idle, too.
 *
 * @param stepMillis of an iteration
 */
record FailoverRank(String directory, int stepMillis) implements RankBody<String> {
  private static final long serialVersionUID = 1;
  private static final int LENGTH = 1 << 15;

  /** The files that tell all ranks the number of iterations to end with. */
  static final String ALL = "ranks";

  /** Of the names of ranks' groups. */
  static final String PREFIX = "rank-";

  /** The log of the tasks that wait. */
  static final String STANDBYS = "standbys";

  /** The name of a rank's group and log. */
  static String group(int rank) {
    return PREFIX + rank;
  }

  /** Loads by a training of its own what a rank will need. */
  @Override
  public void warm() {
    String group = "warm-" + ProcessHandle.current().pid();
    long[] state = new long[LENGTH];
    for (int life = 0; life < 2; life++) {
      try (Checkpointer checkpointer = Cairn.current().join(group, 0, 1)) {
        checkpointer.protect(Region.of("state", state));
        long from = checkpointer.restore().map(report -> report.id().iteration() + 1).orElse(0L);
        checkpointer.checkpoint(from).captured().join();
        checkpointer.end(from + 1).captured().join();
      }
    }
    report(STANDBYS, What.WARM, 0, -1);
  }

  @Override
  public String train(int rank) {
    long[] state = new long[LENGTH];
    try (Checkpointer checkpointer = Cairn.current().join(group(rank), 0, 1)) {
      checkpointer.protect(Region.of("state", state));
      long restored =
          checkpointer.restore().map(RestoreReport::id).map(id -> id.iteration()).orElse(-1L);
      report(group(rank), What.START, checkpointer.epoch(), restored);
      long next = restored + 1;
      RankFiles all = new RankFiles(Path.of(directory), ALL);
      for (OptionalLong end = all.endAt(); end.isEmpty() || next < end.getAsLong(); next++) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(stepMillis));
        step(state, rank, next);
        if (checkpointer.checkpoint(next).captured().join() instanceof Outcome.Fenced fenced) {
          throw new IllegalStateException("rank " + rank + " is fenced: " + fenced.reason());
        }
        report(group(rank), What.STEP, checkpointer.epoch(), next);
        end = all.endAt();
      }
      checkpointer.end(next - 1);
    }
    return digest(state);
  }

  private static void step(long[] state, int rank, long iteration) {
    for (int i = 0; i < state.length; i++) {
      state[i] = state[i] * 6364136223846793005L + iteration + rank + i;
    }
  }

  /** The digest of a rank that nothing disturbed and that never saw a checkpoint. */
  static String undisturbed(int rank, long iterations) {
    long[] state = new long[LENGTH];
    for (long i = 0; i < iterations; i++) {
      step(state, rank, i);
    }
    return digest(state);
  }

  private static String digest(long[] state) {
    return Integer.toHexString(Arrays.hashCode(state));
  }

  private void report(String log, What what, long epoch, long iteration) {
    new RankFiles(Path.of(directory), log).report(RankEvent.now(what, epoch, iteration).line());
  }
}
