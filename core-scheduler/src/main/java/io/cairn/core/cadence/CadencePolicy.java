package io.cairn.core.cadence;

import io.cairn.Level;
import java.util.Map;
import java.util.Optional;

/**
 * The rule by which a coordinator decides the cadence of its group. Immutable.
 *
 * @param start the plan that every group begins with
 * @param adaptive the settings of the adaptation; empty for fixed periods
 * @param withinSeconds per bounded level, the age that its newest checkpoint may reach
 */
public record CadencePolicy(
    CadencePlan start, Optional<AdaptiveSettings> adaptive, Map<Level, Double> withinSeconds) {
  /** Checks the bounds. */
  public CadencePolicy {
    withinSeconds = WorkAtRisk.checked(withinSeconds);
  }

  /** Fixed periods, and no bound in time. */
  public static CadencePolicy fixed(FixedCadence periods) {
    return fixed(periods, Map.of());
  }

  /** Fixed periods; beyond them, checkpoints keep these bounds. */
  public static CadencePolicy fixed(FixedCadence periods, Map<Level, Double> withinSeconds) {
    return new CadencePolicy(CadencePlan.of(periods), Optional.empty(), withinSeconds);
  }

  /** The same policy, whose first plan has a period for this level. */
  public CadencePolicy startingWith(Level level, long every) {
    return new CadencePolicy(start.with(level, every), adaptive, withinSeconds);
  }

  /** Periods that begin with these, follow measurements, and keep the bounds of the settings. */
  public static CadencePolicy adaptive(AdaptiveSettings settings, FixedCadence start) {
    return new CadencePolicy(
        CadencePlan.of(start), Optional.of(settings), settings.withinSeconds());
  }
}
