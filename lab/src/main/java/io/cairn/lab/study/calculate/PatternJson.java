package io.cairn.lab.study.calculate;

import io.cairn.lab.study.pattern.CheckpointPattern;
import io.cairn.lab.study.pattern.EvaluatedPattern;
import io.cairn.lab.study.pattern.PatternReport;
import java.util.List;

/** The content of {@code cairn-lab pattern --json}. */
record PatternJson(
    List<Integer> subset,
    List<Integer> counts,
    List<Integer> totals,
    double lengthSeconds,
    double segmentSeconds,
    Overhead overhead,
    YoungDaly youngDaly,
    List<Alternative> alternatives,
    List<String> notes) {

  /** The overheads of a pattern; the bound is that of its subset. */
  record Overhead(double firstOrder, double lowerBound, double exact) {
    static Overhead of(EvaluatedPattern pattern) {
      return new Overhead(pattern.firstOrder(), pattern.lowerBound(), pattern.exact());
    }
  }

  /** The highest level alone. */
  record YoungDaly(double lengthSeconds, double firstOrder, double exact) {}

  /** Another pattern: the best of its subset. */
  record Alternative(
      List<Integer> subset,
      List<Integer> counts,
      List<Integer> totals,
      double lengthSeconds,
      double segmentSeconds,
      Overhead overhead) {
    static Alternative of(EvaluatedPattern evaluated) {
      CheckpointPattern pattern = evaluated.pattern();
      return new Alternative(
          pattern.subset(),
          pattern.counts(),
          multiples(pattern),
          pattern.lengthSeconds(),
          pattern.segmentSeconds(),
          Overhead.of(evaluated));
    }
  }

  static PatternJson of(PatternReport report) {
    CheckpointPattern best = report.best().pattern();
    EvaluatedPattern youngDaly = report.youngDaly();
    return new PatternJson(
        best.subset(),
        best.counts(),
        multiples(best),
        best.lengthSeconds(),
        best.segmentSeconds(),
        Overhead.of(report.best()),
        new YoungDaly(
            youngDaly.pattern().lengthSeconds(), youngDaly.firstOrder(), youngDaly.exact()),
        report.alternatives().stream().map(Alternative::of).toList(),
        report.notes());
  }

  /** As many as counts: the highest level has one checkpoint per pattern, always. */
  private static List<Integer> multiples(CheckpointPattern pattern) {
    return pattern.totals().subList(0, pattern.counts().size());
  }
}
