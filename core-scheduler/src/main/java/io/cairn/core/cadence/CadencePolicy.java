package io.cairn.core.cadence;

import java.util.Optional;

/**
 * How a group's cadence is decided. Immutable.
 *
 * @param start what every group begins with
 * @param adaptive how it goes on from there; empty if it stays
 */
public record CadencePolicy(CadencePlan start, Optional<AdaptiveSettings> adaptive) {
  /** The same periods for ever. */
  public static CadencePolicy fixed(FixedCadence periods) {
    return new CadencePolicy(CadencePlan.of(periods), Optional.empty());
  }

  /** Periods that follow what is measured, from these on. */
  public static CadencePolicy adaptive(AdaptiveSettings settings, FixedCadence start) {
    return new CadencePolicy(CadencePlan.of(start), Optional.of(settings));
  }
}
