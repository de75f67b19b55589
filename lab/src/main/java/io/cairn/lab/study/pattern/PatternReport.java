package io.cairn.lab.study.pattern;

import java.util.List;

/**
 * The best pattern of a platform, and what it is to be held against. Immutable.
 *
 * @param best the pattern that was asked for
 * @param firstOrder the best pattern by first order, under the same restriction
 * @param exact the best pattern by exact time, under the same restriction
 * @param youngDaly the highest level alone, its length by Young's and Daly's formula
 * @param alternatives other patterns, each the best of its subset without any restriction, by the
 *     same optimizer; the least exact overhead first
 * @param notes what a reader should know: levels that look swapped, and where first order misleads
 */
public record PatternReport(
    EvaluatedPattern best,
    EvaluatedPattern firstOrder,
    EvaluatedPattern exact,
    EvaluatedPattern youngDaly,
    List<EvaluatedPattern> alternatives,
    List<String> notes) {
  /** From this part of the run time on, first order is said to mislead. */
  private static final double MISLEADING = 0.01;

  /** Takes copies. */
  public PatternReport {
    alternatives = List.copyOf(alternatives);
    notes = List.copyOf(notes);
  }

  /** The part of a job's run time that the exact optimum saves against the first-order pattern. */
  static double loss(EvaluatedPattern firstOrder, EvaluatedPattern exact) {
    return Double.isInfinite(exact.exact())
        ? 0
        : 1 - (1 + exact.exact()) / (1 + firstOrder.exact());
  }

  /** Whether that is more than 1 %. */
  static boolean misleads(EvaluatedPattern firstOrder, EvaluatedPattern exact) {
    return loss(firstOrder, exact) > MISLEADING;
  }
}
