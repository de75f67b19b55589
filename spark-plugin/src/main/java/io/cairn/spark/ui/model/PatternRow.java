package io.cairn.spark.ui.model;

import java.util.Map;

/**
 * The periods of a group's checkpoints, and their reasons.
 *
 * @param group empty for the periods that every group begins with
 * @param fromIteration the first iteration of these periods
 * @param periods in iterations, by level
 * @param reasons why a period is not longer, by level
 * @param withinSeconds the age that the newest checkpoint may reach, by level
 * @param predicted waste, as a fraction of run time; NaN while unknown
 * @param achieved the same, as measured
 */
public record PatternRow(
    String group,
    long fromIteration,
    Map<String, Long> periods,
    Map<String, String> reasons,
    Map<String, Double> withinSeconds,
    double predicted,
    double achieved) {
  private static final int MOST_LEVELS = 8;

  /** Clips texts and copies the maps. */
  public PatternRow {
    group = Rows.text(group);
    periods = Rows.map(periods, MOST_LEVELS);
    reasons = Rows.map(reasons, MOST_LEVELS);
    withinSeconds = Rows.map(withinSeconds, MOST_LEVELS);
  }
}
