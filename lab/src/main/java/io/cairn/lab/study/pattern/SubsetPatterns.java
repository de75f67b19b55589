package io.cairn.lab.study.pattern;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The patterns of one subset of a platform's levels. Not thread-safe: it has one evaluator. */
final class SubsetPatterns {
  private final List<Integer> subset;
  private final FirstOrder formulas;
  private final ExactTime exactTime;

  SubsetPatterns(LevelStack levels, List<Integer> subset, PatternAssumptions assumptions) {
    LevelStack selected = levels.select(subset, assumptions.costs());
    this.subset = subset;
    formulas = new FirstOrder(selected);
    exactTime = new ExactTime(selected, assumptions.failures(), assumptions.recovery());
  }

  FirstOrder formulas() {
    return formulas;
  }

  /** The best pattern by first order; what is given of it stays. */
  EvaluatedPattern firstOrder(PatternRestriction restriction) {
    Double length = restriction.lengthSeconds();
    List<Integer> counts = restriction.counts();
    if (counts == null) {
      counts =
          length == null
              ? formulas.roundings().get(0)
              : formulas.roundings().stream()
                  .min(Comparator.comparingDouble(each -> formulas.overhead(each, length)))
                  .orElseThrow();
    }
    return evaluate(counts, length == null ? formulas.length(counts) : length);
  }

  /** The best pattern by exact time; what is given of it stays. */
  EvaluatedPattern exact(PatternRestriction restriction) {
    EvaluatedPattern start = firstOrder(restriction);
    Double length = restriction.lengthSeconds();
    if (restriction.counts() != null && length != null) {
      return start;
    }
    PatternSearch search =
        new PatternSearch(
            (counts, seconds) -> exactTime.expectedSeconds(counts, seconds) / seconds - 1,
            start.pattern().counts().stream().mapToInt(Integer::intValue).toArray(),
            start.pattern().lengthSeconds(),
            length != null);
    if (restriction.counts() == null) {
      search.searchCounts();
    }
    return search.overhead() < start.exact()
        ? evaluate(Arrays.stream(search.counts()).boxed().toList(), search.lengthSeconds())
        : start;
  }

  EvaluatedPattern evaluate(List<Integer> counts, double lengthSeconds) {
    CheckpointPattern pattern = new CheckpointPattern(subset, counts, lengthSeconds);
    return new EvaluatedPattern(
        pattern,
        formulas.overhead(counts, lengthSeconds),
        formulas.lowerBound(),
        exactTime.overhead(counts, lengthSeconds));
  }
}
