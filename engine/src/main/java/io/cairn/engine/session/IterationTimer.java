package io.cairn.engine.session;

import io.cairn.Level;
import java.util.Set;

/** Measures the application's iterations, between checkpoints. The training thread owns it. */
final class IterationTimer {
  private long returnedNanos;
  private boolean running;
  private Set<Level> flushing = Set.of();

  /**
   * One iteration, without the time that checkpoints stopped it for.
   *
   * @param nanos its length; 0 if not known, as for the first one
   * @param flushing the levels that checkpoints were on their way to
   * @param endNanos when it ended, since the application asked for a checkpoint
   */
  record Iteration(long nanos, Set<Level> flushing, long endNanos) {
    /** The timing of the checkpoint that ended it, if the training continues now. */
    Timing releasedAt(long nowNanos) {
      return new Timing(nanos, flushing, nowNanos - endNanos, nowNanos, Waiting.NONE);
    }
  }

  /** The application asks for a checkpoint: an iteration ends. */
  Iteration end(long nowNanos) {
    return new Iteration(running ? nowNanos - returnedNanos : 0, flushing, nowNanos);
  }

  /** The application continues: the next iteration begins, while checkpoints are on their way. */
  void begin(long nowNanos, Set<Level> onTheWay) {
    returnedNanos = nowNanos;
    running = true;
    flushing = onTheWay;
  }

  /** The application waited for a checkpoint in the middle of the iteration. */
  void waited(long nanos) {
    returnedNanos += nanos;
  }

  /** The time until the next checkpoint is no iteration. */
  void interrupt() {
    running = false;
  }
}
