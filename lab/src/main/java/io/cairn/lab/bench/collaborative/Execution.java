package io.cairn.lab.bench.collaborative;

import io.cairn.lab.measure.Middle;
import io.cairn.lab.study.schedule.Algorithm;
import java.util.List;

/**
 * One checkpoint that was executed, or all runs of one algorithm on one snapshot in one.
 *
 * @param snapshot the trace's number
 * @param predictedSeconds by the plan, over the links as they are declared
 * @param trueSeconds the same plan's, over the links as they are
 * @param measuredSeconds from the first report until the last copy had landed
 * @param verifiedBytes that lay with peers or in host memory, each as it should be
 */
record Execution(
    int cacheMegabytes,
    long snapshot,
    Algorithm algorithm,
    double predictedSeconds,
    double trueSeconds,
    double measuredSeconds,
    long verifiedBytes) {
  /**
   * Executions of one plan in one: the median of their times, and all bytes.
   *
   * @throws IllegalArgumentException if their plans predict different times
   */
  static Execution median(List<Execution> runs) {
    Execution first = runs.get(0);
    if (runs.stream().anyMatch(run -> run.predictedSeconds != first.predictedSeconds)) {
      throw new IllegalArgumentException("runs of different plans: " + runs);
    }
    return new Execution(
        first.cacheMegabytes,
        first.snapshot,
        first.algorithm,
        first.predictedSeconds,
        first.trueSeconds,
        Middle.of(runs.stream().map(Execution::measuredSeconds).toList()),
        runs.stream().mapToLong(Execution::verifiedBytes).sum());
  }

  double measuredOverPredicted() {
    return measuredSeconds / predictedSeconds;
  }
}
