package io.cairn.core.cadence;

import io.cairn.Level;
import java.util.Map;

/**
 * The measurements of a group that outlive its coordinator, kept with its checkpoints: the next
 * coordinator begins with them. Immutable.
 *
 * @param periods of the plan in force, by level
 * @param bounds why each period is not longer, by level
 * @param seconds of training that were observed
 * @param iterationSeconds of an iteration without checkpoints
 * @param failures that were observed, by the level that survived them
 * @param costs of every level
 */
public record Learned(
    Map<Level, Long> periods,
    Map<Level, PeriodBound> bounds,
    double seconds,
    double iterationSeconds,
    Map<Level, Integer> failures,
    Map<Level, Cost> costs) {

  /**
   * The costs of a level, each above or equal to 0; see {@link
   * io.cairn.core.pattern.NonBlockingLevel}.
   */
  public record Cost(double blockingSeconds, double flushSeconds, double overheadFactor) {
    /** Checks that no cost is negative or unknown. */
    public Cost {
      require(blockingSeconds, flushSeconds, overheadFactor);
    }
  }

  /**
   * Copies the maps, and checks every value.
   *
   * @throws IllegalArgumentException if the values cannot be those of a group
   */
  public Learned {
    periods = new CadencePlan(0, 0, periods).periods();
    bounds = Map.copyOf(bounds);
    failures = Map.copyOf(failures);
    costs = Map.copyOf(costs);
    require(seconds, iterationSeconds);
    if (failures.values().stream().anyMatch(count -> count < 0)) {
      throw new IllegalArgumentException("a number of failures is negative: " + failures);
    }
  }

  private static void require(double... values) {
    for (double value : values) {
      if (!(value >= 0) || Double.isInfinite(value)) {
        throw new IllegalArgumentException("not a measured time or factor: " + value);
      }
    }
  }
}
