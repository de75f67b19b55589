package io.cairn.spark.driver;

import io.cairn.spark.metrics.ApplicationTotals;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;

/** Tells the metrics which executors are gone, and which jobs may bring their ranks back. */
final class Departures extends SparkListener {
  private final ApplicationTotals totals;

  Departures(ApplicationTotals totals) {
    this.totals = totals;
  }

  @Override
  public void onJobStart(SparkListenerJobStart start) {
    totals.began(start.jobId());
  }

  @Override
  public void onJobEnd(SparkListenerJobEnd end) {
    totals.ended(end.jobId());
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
    totals.gone(removed.executorId());
  }
}
