package io.cairn.engine.session;

import io.cairn.Level;
import io.cairn.core.cadence.Measurement;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * When and for how long one checkpoint stopped its rank.
 *
 * @param workNanos length of the iteration before it; 0 if not known
 * @param flushing the levels that checkpoints were on their way to in that iteration
 * @param stoppedNanos how long the checkpoint stopped the training when it was asked for
 * @param releasedNanos when the training continued
 * @param later what the training waits for it later
 */
record Timing(
    long workNanos, Set<Level> flushing, long stoppedNanos, long releasedNanos, Waiting later) {
  /** How long the checkpoint has stopped the training so far. */
  long blockedNanos() {
    return stoppedNanos + later.nanos();
  }

  /** The same, if the training waits later, too. */
  Timing with(Waiting waiting) {
    return new Timing(workNanos, flushing, stoppedNanos, releasedNanos, waiting);
  }

  /**
   * The measurement for a level that holds the checkpoint now. Only DEVICE's has the blocking time:
   * the other levels are fed later.
   */
  Measurement heldAt(Level level, long nowNanos) {
    long latencyNanos = Math.max(0, nowNanos - releasedNanos);
    return level == Level.DEVICE
        ? new Measurement(blockedNanos(), latencyNanos, workNanos, flushing)
        : new Measurement(0, latencyNanos, 0, Set.of());
  }

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

  /** Measures the application's iterations, between checkpoints. The training thread owns it. */
  static final class Timer {
    private long returnedNanos;
    private boolean running;
    private Set<Level> flushing = Set.of();

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

  /** The time that a training waits for one capture beside it. Thread-safe. */
  static final class Waiting {
    /** No time. */
    static final Waiting NONE = new Waiting(() -> 0);

    private final LongSupplier nanoTime;
    private long sumNanos;
    private long sinceNanos;
    private boolean now;

    Waiting(LongSupplier nanoTime) {
      this.nanoTime = nanoTime;
    }

    /** The training begins to wait. */
    synchronized void begin() {
      sinceNanos = nanoTime.getAsLong();
      now = true;
    }

    /** It goes on; returns how long it waited. */
    synchronized long end() {
      long waited = nanoTime.getAsLong() - sinceNanos;
      sumNanos += waited;
      now = false;
      return waited;
    }

    /** The time so far. */
    synchronized long nanos() {
      return sumNanos + (now ? nanoTime.getAsLong() - sinceNanos : 0);
    }
  }
}
