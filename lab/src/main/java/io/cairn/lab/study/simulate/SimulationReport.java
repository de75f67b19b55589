package io.cairn.lab.study.simulate;

import io.cairn.lab.study.failure.SimulationResult;
import io.cairn.lab.study.pattern.CheckpointPattern;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of {@code cairn-lab simulate pattern --json}. Overheads are run time per work, minus
 * 1; each interval is half its width, to both sides of the mean, and null after a single run.
 *
 * @param rollbacks recoveries begun, of all runs, per level of {@code subset}
 * @param exact the overhead that the calculator finds; null where failures are not exponential, or
 *     where it has no double
 */
record SimulationReport(
    List<Integer> subset,
    List<Integer> counts,
    List<Integer> totals,
    double lengthSeconds,
    long runs,
    int patternsPerRun,
    long seed,
    double mean,
    @Nullable Double ci95,
    @Nullable Double ci99,
    @Nullable Double exact,
    double meanSeconds,
    @Nullable Double ci95Seconds,
    @Nullable Double ci99Seconds,
    List<Long> rollbacks,
    long events) {

  static SimulationReport of(
      CheckpointPattern pattern,
      SimulationResult result,
      int patternsPerRun,
      long seed,
      double exact) {
    return new SimulationReport(
        pattern.subset(),
        pattern.counts(),
        pattern.totals(),
        pattern.lengthSeconds(),
        result.runs(),
        patternsPerRun,
        seed,
        result.overhead(),
        number(result.ci95Overhead()),
        number(result.ci99Overhead()),
        number(exact),
        result.meanSeconds(),
        number(result.ci95Seconds()),
        number(result.ci99Seconds()),
        result.rollbacks(),
        result.events());
  }

  private static @Nullable Double number(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
