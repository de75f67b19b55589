package io.cairn.lab.study.pattern;

import io.cairn.core.pattern.Check;
import io.cairn.core.pattern.NonBlockingLevel;
import io.cairn.core.pattern.NonBlockingPattern;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The pattern of a non-blocking system with the least waste, over subsets of its levels, counts and
 * length. Cadences, which search whole iterations, are compared with it.
 *
 * @param pattern the best pattern whose flushes keep up
 * @param waste the part of the run time that is not work
 */
public record NonBlockingOptimum(CheckpointPattern pattern, double waste) {
  /** Below this a cost is none; first order, which the search begins with, divides by it. */
  private static final double LEAST_COST_SECONDS = 1e-6;

  /** More of one level per checkpoint of the next gain nothing that the search would see. */
  private static final int MOST_AT_FIRST = 64;

  /**
   * The best pattern of all subsets that have the highest level.
   *
   * @param levels the cheapest first
   * @param shortestSegmentSeconds no segment is shorter: the time of an iteration, say
   * @throws IllegalArgumentException if flushes keep up with no pattern that could be found
   */
  public static NonBlockingOptimum best(
      List<NonBlockingLevel> levels, double shortestSegmentSeconds) {
    NonBlockingOptimum best = null;
    for (List<Integer> subset : costs(levels).subsets()) {
      NonBlockingOptimum found = best(levels, subset, shortestSegmentSeconds);
      if (best == null || found.waste < best.waste) {
        best = found;
      }
    }
    if (best == null || !(best.waste < 1)) {
      throw new IllegalArgumentException(
          "no pattern of these levels gets any work done: flushes or recoveries take too long"
              + " beside the time between failures");
    }
    return best;
  }

  /** The best pattern of one subset; its waste is 1 if none gets any work done. */
  public static NonBlockingOptimum best(
      List<NonBlockingLevel> levels, List<Integer> subset, double shortestSegmentSeconds) {
    Check.positive(shortestSegmentSeconds, "shortestSegmentSeconds");
    FirstOrder formulas = new FirstOrder(costs(levels).select(subset, CostModel.INDEPENDENT));
    List<NonBlockingLevel> selected = select(levels, subset);
    int[] counts =
        formulas.roundings().get(0).stream()
            .mapToInt(count -> Math.min(count, MOST_AT_FIRST))
            .toArray();
    double slowest = selected.get(selected.size() - 1).flushSeconds();
    double start =
        Math.max(
            Math.max(formulas.rationalLength(), 2 * slowest),
            1.5 * shortestSegmentSeconds * segments(counts));
    NonBlockingPattern model = new NonBlockingPattern(selected);
    PatternSearch search =
        new PatternSearch(
            (these, length) ->
                length < shortestSegmentSeconds * segments(these)
                    ? Double.POSITIVE_INFINITY
                    : model.expectedSeconds(these, length) / length - 1,
            counts,
            start,
            false);
    search.searchCounts();
    CheckpointPattern pattern =
        new CheckpointPattern(
            subset, Arrays.stream(search.counts()).boxed().toList(), search.lengthSeconds());
    return new NonBlockingOptimum(pattern, 1 - 1 / (1 + search.overhead()));
  }

  /**
   * The levels of a subset, those in between merged into the next one in use.
   *
   * @throws IllegalArgumentException naming the subset, if it does not fit the levels
   */
  public static List<NonBlockingLevel> select(List<NonBlockingLevel> levels, List<Integer> subset) {
    costs(levels).select(subset, CostModel.INDEPENDENT);
    List<NonBlockingLevel> selected = new ArrayList<>();
    int below = 0;
    for (int number : subset) {
      double leftOut = 0;
      for (NonBlockingLevel level : levels.subList(below, number - 1)) {
        leftOut += level.failuresPerSecond();
      }
      NonBlockingLevel used = levels.get(number - 1);
      selected.add(
          new NonBlockingLevel(
              used.name(),
              used.failuresPerSecond() + leftOut,
              used.blockingSeconds(),
              used.flushSeconds(),
              used.overheadFactor(),
              used.recoverySeconds()));
      below = number;
    }
    return selected;
  }

  /** The levels as a blocking platform: a checkpoint costs its stop and what its flush slows. */
  private static LevelStack costs(List<NonBlockingLevel> levels) {
    return new LevelStack(
        levels.stream()
            .map(
                level ->
                    new CheckpointLevel(
                        level.name(),
                        level.failuresPerSecond(),
                        Math.max(
                            LEAST_COST_SECONDS,
                            level.blockingSeconds()
                                + level.overheadFactor() * level.flushSeconds()),
                        level.recoverySeconds()))
            .toList());
  }

  private static double segments(int[] counts) {
    double segments = 1;
    for (int count : counts) {
      segments *= count;
    }
    return segments;
  }
}
