package io.cairn.lab.bench.collaborative;

import io.cairn.lab.schedule.Algorithm;
import java.util.List;

/** All runs of one algorithm on one snapshot in one: the medians of their times. */
record Result(
    int cacheMegabytes,
    long snapshot,
    Algorithm algorithm,
    double predictedSeconds,
    double trueSeconds,
    double measuredSeconds,
    long verifiedBytes) {
  /**
   * Of executions of one plan.
   *
   * @throws IllegalArgumentException if their plans predict different times
   */
  static Result of(List<Execution> runs) {
    Execution first = runs.get(0);
    if (runs.stream().anyMatch(run -> run.predictedSeconds() != first.predictedSeconds())) {
      throw new IllegalArgumentException("runs of different plans: " + runs);
    }
    return new Result(
        first.cacheMegabytes(),
        first.snapshot(),
        first.algorithm(),
        first.predictedSeconds(),
        first.trueSeconds(),
        Middle.of(runs.stream().map(Execution::measuredSeconds).toList()),
        runs.stream().mapToLong(Execution::verifiedBytes).sum());
  }

  double measuredOverPredicted() {
    return measuredSeconds / predictedSeconds;
  }
}
