package io.cairn.core.cadence;

import io.cairn.core.model.Level;
import java.util.Set;

/**
 * What a rank measured about one checkpoint at one level; travels with the report that it holds it.
 * What was not measured is 0.
 *
 * @param blockedNanos how long this level of the checkpoint stopped the training
 * @param latencyNanos from the end of that stop until the rank held the checkpoint there
 * @param workNanos the iteration before the checkpoint, without what checkpoints stopped it for
 * @param flushing the levels to which something was on its way at any time of that iteration
 */
public record Measurement(
    long blockedNanos, long latencyNanos, long workNanos, Set<Level> flushing) {
  /** Nothing was measured. */
  public static final Measurement NONE = new Measurement(0, 0, 0, Set.of());

  /** Checks that no time is negative. */
  public Measurement {
    flushing = Set.copyOf(flushing);
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
}
