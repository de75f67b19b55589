package io.cairn.engine.session;

import io.cairn.Level;
import io.cairn.core.cadence.Measurement;
import java.util.Set;

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
}
