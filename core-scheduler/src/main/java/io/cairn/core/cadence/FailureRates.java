package io.cairn.core.cadence;

import io.cairn.Level;
import java.util.EnumMap;
import java.util.Map;

/**
 * Estimates the rate of failures of each level. Each rate has a Gamma prior worth one failure per
 * configured MTBF: after n failures in T seconds the rate is (1 + n) / (MTBF + T). So no failure
 * does not mean a rate of zero, and one early failure does not mean a high rate. Not thread-safe.
 */
final class FailureRates {
  private final AdaptiveSettings settings;
  private final Map<Level, Integer> seen = new EnumMap<>(Level.class);
  private double exposureSeconds;

  FailureRates(AdaptiveSettings settings) {
    this.settings = settings;
  }

  void passed(double seconds) {
    exposureSeconds += seconds;
  }

  void failed(Level level) {
    seen.merge(level, 1, Integer::sum);
  }

  /** Counts what an earlier coordinator observed. */
  void add(Learned learned) {
    exposureSeconds += learned.seconds();
    learned.failures().forEach((level, count) -> seen.merge(level, count, Integer::sum));
  }

  /**
   * Takes what a checkpoint of this group says in the place of the present counts, if it observed
   * more.
   *
   * @return whether it did
   */
  boolean recall(Learned learned) {
    int failed = sum(learned.failures());
    boolean more =
        learned.seconds() > exposureSeconds
            || (learned.seconds() == exposureSeconds && failed > sum(seen));
    if (more) {
      exposureSeconds = learned.seconds();
      seen.clear();
      seen.putAll(learned.failures());
    }
    return more;
  }

  private static int sum(Map<Level, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  double seconds() {
    return exposureSeconds;
  }

  Map<Level, Integer> seen() {
    return Map.copyOf(seen);
  }

  int seen(Level level) {
    return seen.getOrDefault(level, 0);
  }

  double perSecond(Level level) {
    return (1 + seen(level)) / (settings.mtbfSeconds(level) + exposureSeconds);
  }
}
