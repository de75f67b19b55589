package io.cairn.lab.bench.scale;

import io.cairn.lab.measure.MeasuredMachine;
import io.cairn.lab.measure.Samples;
import java.util.List;

/**
 * The findings of {@code bench scale}; its JSON is these records.
 *
 * @param date when, in UTC
 * @param runs one per number of ranks per executor
 */
record ScaleReport(String date, MeasuredMachine machine, List<Run> runs) {
  /**
   * One group at one driver.
   *
   * @param beginMillis from the first join until every rank has resumed
   * @param settled iterations that every rank received as sealed, of those that were captured
   * @param settleMillis from the capture of an iteration by all ranks to its seal at one
   * @param training the driver while the group trains
   * @param idle the driver while the ranks are connected and capture nothing
   */
  record Run(
      ScalePlan plan,
      double beginMillis,
      int settled,
      Samples.Quantiles settleMillis,
      Usage training,
      Usage idle) {}

  /**
   * The driver's process, during one phase.
   *
   * @param requestsPerSecond of all executors
   * @param bytesPerSecond of these requests
   * @param processors that the driver kept busy
   * @param threads at the end
   * @param heapBytes at the end, after a collection
   */
  record Usage(
      double requestsPerSecond,
      double bytesPerSecond,
      double processors,
      int threads,
      long heapBytes) {}

  ScaleReport {
    runs = List.copyOf(runs);
  }
}
