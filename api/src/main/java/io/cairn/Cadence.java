package io.cairn;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * How often a group's checkpoints go to each level, and what that costs it. Waste is the part of
 * the run time that is not work. A number is NaN while it is unknown. Immutable.
 *
 * @param plan rises with every decision of the group's coordinator; 0 for the initial plan
 * @param fromIteration the first iteration of the plan
 * @param levels the levels in use
 * @param iterationSeconds of an iteration without checkpoints
 * @param predicted the waste of the plan by the present estimates
 * @param predictedSoFar the mean of the predictions over {@code seconds}
 * @param achievedSoFar the waste of {@code seconds}
 * @param seconds the time since the first prediction
 */
public record Cadence(
    long plan,
    long fromIteration,
    Map<Level, Of> levels,
    double iterationSeconds,
    double predicted,
    double predictedSoFar,
    double achievedSoFar,
    double seconds) {
  /**
   * The cadence of one level.
   *
   * @param every iterations from one checkpoint to the next
   * @param bound why the period is not longer: {@code start} before anything was measured, {@code
   *     optimum}, {@code within} for the user's bound, {@code stall} for the blocking time that the
   *     setting {@code cadence} permits, {@code drain} if the level receives no more; empty if
   *     unknown
   * @param blockingSeconds by which a checkpoint stops the training
   * @param flushSeconds until the level holds it
   */
  public record Of(long every, String bound, double blockingSeconds, double flushSeconds) {}

  /** Copies the map. */
  public Cadence {
    Map<Level, Of> copy = new EnumMap<>(Level.class);
    copy.putAll(levels);
    levels = Collections.unmodifiableMap(copy);
  }
}
