package io.cairn.core.cadence;

import io.cairn.Level;
import java.util.Map;
import java.util.Optional;

/**
 * Predicted and achieved waste of a cadence. Waste is the part of the run time that is not work;
 * NaN while unknown.
 *
 * @param plan in force
 * @param bounds by level of the plan, the reason why its period is not longer
 * @param learned the measurements so far, which predictions follow from; empty while there are none
 * @param predicted the waste of that plan by the present estimates
 * @param predictedSoFar the mean of the predictions over {@code seconds}
 * @param achievedSoFar the waste of {@code seconds}
 * @param seconds the time since the first prediction
 */
public record CadenceReport(
    CadencePlan plan,
    Map<Level, PeriodBound> bounds,
    Optional<Learned> learned,
    double predicted,
    double predictedSoFar,
    double achievedSoFar,
    double seconds) {
  /** Copies the map. */
  public CadenceReport {
    bounds = Map.copyOf(bounds);
  }
}
