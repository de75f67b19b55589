package io.cairn.engine.promotion;

import io.cairn.core.cadence.Measurement;
import io.cairn.core.model.Level;
import java.util.Set;

/**
 * When and how long one checkpoint stopped its rank.
 *
 * @param workNanos the iteration before it; 0 if not known
 * @param flushing the levels to which something was on its way in that iteration
 * @param blockedNanos how long it stopped the training
 * @param releasedNanos when that ended, by {@link System#nanoTime}
 */
public record Timing(long workNanos, Set<Level> flushing, long blockedNanos, long releasedNanos) {
  /** Of a checkpoint that says nothing of what its levels cost. */
  public static final Timing UNMEASURED = new Timing(0, Set.of(), 0, 0);

  /** What is measured when a level holds it now. The stop is DEVICE's: the others are fed later. */
  public Measurement heldAt(Level level) {
    if (equals(UNMEASURED)) {
      return Measurement.NONE;
    }
    long latencyNanos = Math.max(0, System.nanoTime() - releasedNanos);
    return level == Level.DEVICE
        ? new Measurement(blockedNanos, latencyNanos, workNanos, flushing)
        : new Measurement(0, latencyNanos, 0, Set.of());
  }
}
