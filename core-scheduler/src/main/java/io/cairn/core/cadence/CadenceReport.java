package io.cairn.core.cadence;

/**
 * Predicted and achieved waste of a cadence. Waste is the part of the run time that is not work;
 * NaN while unknown.
 *
 * @param plan in force
 * @param predicted the waste of that plan by the present estimates
 * @param predictedSoFar the mean of the predictions over {@code seconds}
 * @param achievedSoFar the waste of {@code seconds}
 * @param seconds the time since the first prediction
 */
public record CadenceReport(
    CadencePlan plan,
    double predicted,
    double predictedSoFar,
    double achievedSoFar,
    double seconds) {}
