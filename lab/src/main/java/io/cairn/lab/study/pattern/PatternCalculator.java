package io.cairn.lab.study.pattern;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The best checkpoint pattern of a platform, by the first-order formulas and by the exact expected
 * time, side by side: the formulas are near enough while the pattern is short beside the mean time
 * between failures. Otherwise they choose patterns that are much too long. Immutable and
 * thread-safe.
 *
 * <p>The exact optimum takes every subset of up to {@value #MAX_SUBSETS}; of more, those with the
 * least first-order bound. Of each subset it takes the counts that no step of 1 in one count or in
 * two improves, each at its best length. A few milliseconds for four levels.
 */
public final class PatternCalculator {
  private static final int MAX_SUBSETS = 256;

  private final LevelStack levels;
  private final PatternAssumptions assumptions;

  /** A calculator for a platform. */
  public PatternCalculator(LevelStack levels, PatternAssumptions assumptions) {
    this.levels = levels;
    this.assumptions = assumptions;
  }

  /**
   * The best pattern by the given optimizer, and what to hold it against.
   *
   * @throws IllegalArgumentException naming the restriction that does not fit the levels
   */
  public PatternReport calculate(Optimizer optimizer, PatternRestriction restriction) {
    List<SubsetPatterns> candidates = candidates(restriction);
    EvaluatedPattern firstOrder = firstOrderSubset(candidates, restriction).firstOrder(restriction);
    EvaluatedPattern exact = firstOrder;
    for (SubsetPatterns candidate : candidates) {
      EvaluatedPattern found = candidate.exact(restriction);
      exact = found.exact() < exact.exact() ? found : exact;
    }
    EvaluatedPattern best = optimizer == Optimizer.EXACT ? exact : firstOrder;
    return new PatternReport(
        best,
        firstOrder,
        exact,
        youngDaly(),
        alternatives(optimizer, best),
        notes(firstOrder, exact, best));
  }

  /** The exact optimum. */
  public PatternReport calculate() {
    return calculate(Optimizer.EXACT, PatternRestriction.NONE);
  }

  /** The overheads of a given pattern. */
  public EvaluatedPattern evaluate(CheckpointPattern pattern) {
    return subset(pattern.subset()).evaluate(pattern.counts(), pattern.lengthSeconds());
  }

  /** The highest level alone, with the length √(2·C/Λ) of Young and Daly. */
  public EvaluatedPattern youngDaly() {
    SubsetPatterns alone = subset(List.of(levels.size()));
    return alone.evaluate(List.of(), alone.formulas().length(List.of()));
  }

  private SubsetPatterns subset(List<Integer> subset) {
    return new SubsetPatterns(levels, subset, assumptions);
  }

  private List<SubsetPatterns> candidates(PatternRestriction restriction) {
    if (restriction.subset() != null) {
      return List.of(subset(restriction.subset()));
    }
    return levels.subsets().stream()
        .map(this::subset)
        .sorted(Comparator.comparingDouble(each -> each.formulas().lowerBound()))
        .limit(MAX_SUBSETS)
        .toList();
  }

  private SubsetPatterns firstOrderSubset(
      List<SubsetPatterns> candidates, PatternRestriction restriction) {
    return restriction.subset() != null
        ? candidates.get(0)
        : subset(SubsetSelection.best(levels, assumptions.costs()).subset());
  }

  private List<EvaluatedPattern> alternatives(Optimizer optimizer, EvaluatedPattern best) {
    PatternRestriction none = PatternRestriction.NONE;
    return candidates(none).stream()
        .map(each -> optimizer == Optimizer.EXACT ? each.exact(none) : each.firstOrder(none))
        .filter(each -> !each.pattern().equals(best.pattern()))
        .sorted(Comparator.comparingDouble(EvaluatedPattern::exact))
        .toList();
  }

  private List<String> notes(
      EvaluatedPattern firstOrder, EvaluatedPattern exact, EvaluatedPattern best) {
    List<String> notes = new ArrayList<>(levels.warnings());
    if (PatternReport.misleads(firstOrder, exact)) {
      notes.add(
          String.format(
              Locale.ROOT,
              "first order misleads here: its pattern of %.6g s has an overhead of %.4g, where it"
                  + " promises %.4g; the best pattern, of %.6g s, has %.4g and saves %.3g %% of"
                  + " the run time",
              firstOrder.pattern().lengthSeconds(),
              firstOrder.exact(),
              firstOrder.firstOrder(),
              exact.pattern().lengthSeconds(),
              exact.exact(),
              100 * PatternReport.loss(firstOrder, exact)));
    }
    if (!(best.exact() <= 1)) {
      notes.add("more time goes into checkpoints and failures than into work");
    }
    return notes;
  }
}
