package io.cairn.spark.driver;

import io.cairn.spark.metrics.ApplicationTotals;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;

/** Tells the metrics which executors are gone. Thread-safe. */
final class Departures extends SparkListener {
  private final ApplicationTotals totals;

  Departures(ApplicationTotals totals) {
    this.totals = totals;
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
    totals.gone(removed.executorId());
  }
}
