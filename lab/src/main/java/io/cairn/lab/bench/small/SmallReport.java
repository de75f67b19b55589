package io.cairn.lab.bench.small;

import io.cairn.lab.measure.MeasuredMachine;
import java.util.List;

/**
 * The findings of {@code bench small}; its JSON is these records.
 *
 * @param date when, in UTC
 * @param cases in the order of the run
 */
record SmallReport(String date, MeasuredMachine machine, List<Case> cases) {

  /**
   * A training under one mode.
   *
   * @param training its name
   * @param bytes of its state
   * @param iterationMillis of an iteration without checkpoints, median over blocks
   * @param mode how it checkpoints
   * @param iterations with checkpoints
   * @param capturedPercent the share of them that was captured
   * @param stored how many of them were sealed at STORE
   * @param overheadPercent by which an iteration takes longer with checkpoints, median over pairs
   *     of blocks. It leaves out what few blocks have, such as a checkpoint at STORE
   * @param quartilePercent the middle half of the pairs lies between these
   * @param settledPercent by which all blocks together take longer, each until its checkpoints have
   *     arrived at every level: more than a training that goes on meanwhile waits
   * @param cpuMicros processor time of the process per iteration beyond that without checkpoints,
   *     the work below DEVICE included
   */
  record Case(
      String training,
      long bytes,
      double iterationMillis,
      Mode mode,
      int iterations,
      double capturedPercent,
      long stored,
      double overheadPercent,
      List<Double> quartilePercent,
      double settledPercent,
      double cpuMicros) {}

  SmallReport {
    cases = List.copyOf(cases);
  }
}
