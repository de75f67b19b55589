package io.cairn.core.cadence;

/**
 * What a cadence promises beside what it kept. Wastes are the part of the run time that is not
 * work; NaN while nothing is known.
 *
 * @param plan in force
 * @param predicted the waste of that plan, as rates and costs are known now
 * @param predictedSoFar the mean of predictions over the time that has passed
 * @param achievedSoFar the waste of that time
 * @param seconds that time
 */
public record CadenceReport(
    CadencePlan plan,
    double predicted,
    double predictedSoFar,
    double achievedSoFar,
    double seconds) {}
