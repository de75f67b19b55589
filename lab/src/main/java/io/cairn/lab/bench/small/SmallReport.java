package io.cairn.lab.bench.small;

import io.cairn.lab.measure.MeasuredMachine;
import java.util.List;

/**
 * The findings of {@code bench small}; its JSON is these records.
 *
 * @param date when, in UTC
 * @param bytes of each capture
 * @param regions that hold them
 * @param intervalMicros of computation between two captures
 * @param phases in the order of the run
 */
record SmallReport(
    String date,
    MeasuredMachine machine,
    int bytes,
    int regions,
    long intervalMicros,
    List<Phase> phases) {

  /**
   * Successive captures.
   *
   * @param name of the phase
   * @param captures how many they were
   * @param cpuMicros processor time of the training thread per capture
   * @param wallMicros time until the training thread continues, preemption included
   * @param allocatedBytes by the training thread per capture, mean
   */
  record Phase(
      String name, int captures, Quantiles cpuMicros, Quantiles wallMicros, long allocatedBytes) {}

  /** Middle and end of a distribution. */
  record Quantiles(double p50, double p90, double p99) {}

  SmallReport {
    phases = List.copyOf(phases);
  }
}
