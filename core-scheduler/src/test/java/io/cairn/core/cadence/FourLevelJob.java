package io.cairn.core.cadence;

import io.cairn.Level;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A job on four levels, and cadences that know its failures but not its costs. */
public final class FourLevelJob {
  private static final double HOUR = 3600;
  public static final List<Level> LEVELS = List.of(Level.values());
  public static final CadencePlan START = startingPlan();

  public static final VirtualJob.Truth TRUTH =
      new VirtualJob.Truth(
          20,
          List.of(4 * HOUR, 16 * HOUR, 48 * HOUR, 120 * HOUR),
          List.of(0.002, 2.0, 4.0, 6.0),
          List.of(0.0, 40.0, 120.0, 500.0),
          List.of(0.0, 0.05, 0.03, 0.04),
          List.of(10.0, 30.0, 60.0, 300.0));

  /** The same job with captures that stop it for 5 % of an iteration. */
  public static final VirtualJob.Truth COSTLY_CAPTURES =
      new VirtualJob.Truth(
          TRUTH.iterationSeconds(),
          TRUTH.mtbf(),
          List.of(1.0, 2.0, 4.0, 6.0),
          TRUTH.latency(),
          TRUTH.slower(),
          TRUTH.recovery());

  private static CadencePlan startingPlan() {
    return new CadencePlan(
        0, 0, Map.of(Level.DEVICE, 1L, Level.NODE, 10L, Level.PEER, 20L, Level.STORE, 40L));
  }

  private static AdaptiveSettings settings(double budget, Map<Level, Double> within) {
    Map<Level, Double> mtbf = new EnumMap<>(Level.class);
    LEVELS.forEach(level -> mtbf.put(level, TRUTH.mtbf().get(LEVELS.indexOf(level))));
    return new AdaptiveSettings(
        mtbf, budget, Set.copyOf(LEVELS), Set.of(Level.NODE, Level.PEER), within);
  }

  public static AdaptiveCadence adaptive(double budget) {
    return adaptive(budget, Map.of());
  }

  public static AdaptiveCadence adaptive(double budget, Map<Level, Double> within) {
    return new AdaptiveCadence(settings(budget, within), START);
  }

  private FourLevelJob() {}
}
