package io.cairn.spark.ui;

import io.cairn.spark.metrics.ProcessTotals;
import io.cairn.spark.ui.model.Round;
import org.jspecify.annotations.Nullable;

/**
 * The one message of a process to the driver about itself. Immutable.
 *
 * @param totals of its counters; null if the driver has them
 * @param round of its figures for the page; null if there is no news, or nobody sees it
 */
public record Report(@Nullable ProcessTotals totals, @Nullable Round round) {
  /** Refuses one that says nothing, as that of another version would seem to. */
  public Report {
    if (totals == null && round == null) {
      throw new IllegalArgumentException("a report without totals and round");
    }
  }
}
