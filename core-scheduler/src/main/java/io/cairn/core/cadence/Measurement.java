package io.cairn.core.cadence;

import io.cairn.Level;
import java.util.Set;

/**
 * A rank's measurement of one checkpoint at one level, sent with the report that the rank holds it.
 * A value of 0 was not measured.
 *
 * @param blockedNanos the time for which this level of the checkpoint blocked the training
 * @param latencyNanos from the end of the blocking until the rank held the checkpoint there
 * @param workNanos of the iteration before the checkpoint, without the blocking time
 * @param flushing the levels to which a flush was under way at any time of that iteration
 */
public record Measurement(
    long blockedNanos, long latencyNanos, long workNanos, Set<Level> flushing) {
  /** Nothing was measured. */
  public static final Measurement NONE = new Measurement(0, 0, 0, Set.of());

  /** Checks that no time is negative. */
  public Measurement {
    flushing = Level.where(flushing::contains);
    if (blockedNanos < 0 || latencyNanos < 0 || workNanos < 0) {
      throw new IllegalArgumentException(
          "not a measurement: blocked "
              + blockedNanos
              + " ns, latency "
              + latencyNanos
              + " ns, work "
              + workNanos
              + " ns");
    }
  }

  /** The same with a longer latency; nothing measured stays nothing. */
  public Measurement later(long nanos) {
    return equals(NONE)
        ? NONE
        : new Measurement(blockedNanos, latencyNanos + nanos, workNanos, flushing);
  }
}
