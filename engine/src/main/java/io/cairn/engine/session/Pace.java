package io.cairn.engine.session;

import io.cairn.core.model.Level;
import java.util.Set;

/**
 * Measures the time between checkpoints, which is the application's own. The training thread owns
 * it.
 */
final class Pace {
  private long returnedNanos;
  private boolean running;
  private Set<Level> flushing = Set.of();

  /**
   * One iteration without what checkpoints stopped it for.
   *
   * @param nanos 0 if that is not known, as for the first one
   * @param flushing the levels to which something was on its way
   */
  record Iteration(long nanos, Set<Level> flushing) {}

  /** The application asks for a checkpoint: an iteration ends. */
  Iteration asked(long nowNanos) {
    return new Iteration(running ? nowNanos - returnedNanos : 0, flushing);
  }

  /** The application goes on: the next iteration begins, with that on its way. */
  void returned(long nowNanos, Set<Level> onTheWay) {
    returnedNanos = nowNanos;
    running = true;
    flushing = onTheWay;
  }

  /** What comes next is no iteration. */
  void interrupted() {
    running = false;
  }
}
