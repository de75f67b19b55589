package io.cairn.core.cadence;

import java.util.Optional;

/**
 * The rule by which a coordinator decides the cadence of its group. Immutable.
 *
 * @param start the plan that every group begins with
 * @param adaptive the settings of the adaptation; empty for fixed periods
 */
public record CadencePolicy(CadencePlan start, Optional<AdaptiveSettings> adaptive) {
  /** Fixed periods. */
  public static CadencePolicy fixed(FixedCadence periods) {
    return new CadencePolicy(CadencePlan.of(periods), Optional.empty());
  }

  /** Periods that begin with these and follow measurements. */
  public static CadencePolicy adaptive(AdaptiveSettings settings, FixedCadence start) {
    return new CadencePolicy(CadencePlan.of(start), Optional.of(settings));
  }
}
