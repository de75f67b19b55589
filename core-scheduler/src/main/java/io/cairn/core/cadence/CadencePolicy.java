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
  public static CadencePolicy fixed(CadencePlan periods) {
    return fixed(periods, Map.of());
  }

  /** Fixed periods; beyond them, checkpoints keep these bounds. */
  public static CadencePolicy fixed(CadencePlan periods, Map<Level, Double> withinSeconds) {
    return new CadencePolicy(periods, Optional.empty(), withinSeconds);
  }

  /** Periods that begin with these, follow measurements, and keep the bounds of the settings. */
  public static CadencePolicy adaptive(AdaptiveSettings settings, CadencePlan start) {
    return new CadencePolicy(start, Optional.of(settings), settings.withinSeconds());
  }
}
