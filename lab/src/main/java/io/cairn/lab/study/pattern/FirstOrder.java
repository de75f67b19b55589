package io.cairn.lab.study.pattern;

import io.cairn.core.pattern.Check;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The first-order approximation of the best pattern that uses every level of a stack. Source:
 * Benoit et al., "Towards Optimal Multi-Level Checkpointing", IEEE TC 66(7), 2017, Theorems 1 and
 * 2, Corollary 1. Closed forms; they hold while costs and the pattern are short beside the mean
 * time between failures, and leave out recoveries. Immutable.
 */
public final class FirstOrder {
  /** A rational count this near to an integer is that integer, and not rounded twice. */
  private static final double SNAP = 1e-9;

  private final List<CheckpointLevel> levels;

  /** The formulas for a stack whose levels are all in use. */
  public FirstOrder(LevelStack selected) {
    this.levels = selected.levels();
  }

  /** The overhead that no pattern goes below, to first order: Σ √(2·λ·C). */
  public double lowerBound() {
    return levels.stream()
        .mapToDouble(level -> Math.sqrt(2 * level.failuresPerSecond() * level.checkpointSeconds()))
        .sum();
  }

  /** The best number of checkpoints per pattern of each level, as real numbers; the last is 1. */
  public List<Double> rationalTotals() {
    CheckpointLevel top = levels.get(levels.size() - 1);
    double perFailure = top.checkpointSeconds() / top.failuresPerSecond();
    return levels.stream()
        .map(level -> Math.sqrt(level.failuresPerSecond() / level.checkpointSeconds() * perFailure))
        .toList();
  }

  /** The best number of checkpoints per checkpoint of the next level, as real numbers. */
  public List<Double> rationalCounts() {
    List<Double> counts = new ArrayList<>();
    for (int index = 0; index + 1 < levels.size(); index++) {
      CheckpointLevel lower = levels.get(index);
      CheckpointLevel higher = levels.get(index + 1);
      double rates = lower.failuresPerSecond() / higher.failuresPerSecond();
      double costs = higher.checkpointSeconds() / lower.checkpointSeconds();
      counts.add(Math.sqrt(rates * costs));
    }
    return counts;
  }

  /** The length of the pattern with the rational numbers of checkpoints, in seconds. */
  public double rationalLength() {
    List<Double> totals = rationalTotals();
    return Math.sqrt(2 * errorFree(totals) / lost(totals));
  }

  /**
   * Every choice of rounding each rational count up or down, never below 1, in the order of rising
   * overhead. At most 2^(k−1).
   */
  public List<List<Integer>> roundings() {
    List<List<Integer>> roundings = List.of(List.of());
    for (double count : rationalCounts()) {
      List<List<Integer>> longer = new ArrayList<>();
      for (List<Integer> rounding : roundings) {
        for (int choice : floorAndCeiling(count)) {
          List<Integer> next = new ArrayList<>(rounding);
          next.add(choice);
          longer.add(List.copyOf(next));
        }
      }
      roundings = longer;
    }
    return roundings.stream().sorted(Comparator.comparingDouble(this::overhead)).toList();
  }

  private static List<Integer> floorAndCeiling(double count) {
    double nearest = Math.rint(count);
    double exact = Math.abs(count - nearest) <= SNAP * Math.max(1, nearest) ? nearest : count;
    int floor = (int) Math.max(1, Math.floor(exact));
    int ceiling = (int) Math.max(1, Math.ceil(exact));
    return floor == ceiling ? List.of(floor) : List.of(floor, ceiling);
  }

  /** The best length of a pattern with these counts, in seconds. */
  public double length(List<Integer> counts) {
    List<Double> totals = totals(counts);
    return Math.sqrt(2 * errorFree(totals) / lost(totals));
  }

  /** The overhead of a pattern with these counts and its best length. */
  public double overhead(List<Integer> counts) {
    List<Double> totals = totals(counts);
    return Math.sqrt(2 * errorFree(totals) * lost(totals));
  }

  /** The overhead of a pattern with these counts and a length of {@code lengthSeconds}. */
  public double overhead(List<Integer> counts, double lengthSeconds) {
    Check.positive(lengthSeconds, "lengthSeconds of a pattern");
    List<Double> totals = totals(counts);
    return errorFree(totals) / lengthSeconds + lost(totals) * lengthSeconds / 2;
  }

  /** Seconds of checkpoints per pattern. */
  private double errorFree(List<Double> totals) {
    double seconds = 0;
    for (int index = 0; index < levels.size(); index++) {
      seconds += totals.get(index) * levels.get(index).checkpointSeconds();
    }
    return seconds;
  }

  /** Failures per second, each weighted by the part of the pattern that it rolls back. */
  private double lost(List<Double> totals) {
    double rate = 0;
    for (int index = 0; index < levels.size(); index++) {
      rate += levels.get(index).failuresPerSecond() / totals.get(index);
    }
    return rate;
  }

  private List<Double> totals(List<Integer> counts) {
    double total = CheckpointPattern.segments(counts, levels.size());
    List<Double> totals = new ArrayList<>();
    totals.add(total);
    for (int count : counts) {
      total /= count;
      totals.add(total);
    }
    return totals;
  }
}
