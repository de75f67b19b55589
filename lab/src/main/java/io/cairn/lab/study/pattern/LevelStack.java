package io.cairn.lab.study.pattern;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The levels of a platform, the cheapest first; the last one survives every failure. Failures of
 * different levels are independent Poisson processes. Immutable.
 *
 * @param levels between 1 and {@value #MAX_LEVELS}, with different names
 */
public record LevelStack(List<CheckpointLevel> levels) {
  /** The most levels of a platform; their subsets are enumerated. */
  public static final int MAX_LEVELS = 16;

  /** Checks number and names. */
  public LevelStack {
    levels = List.copyOf(levels);
    if (levels.isEmpty() || levels.size() > MAX_LEVELS) {
      throw new IllegalArgumentException(
          "a platform has 1 to " + MAX_LEVELS + " levels, not " + levels.size());
    }
    Set<String> names = new HashSet<>();
    for (CheckpointLevel level : levels) {
      if (!names.add(level.name())) {
        throw new IllegalArgumentException("two levels are named '" + level.name() + "'");
      }
    }
  }

  /** The number of levels. */
  public int size() {
    return levels.size();
  }

  /** Level {@code number}, counted from 1. */
  public CheckpointLevel level(int number) {
    return levels.get(number - 1);
  }

  /** The rate of all failures together. */
  public double failuresPerSecond() {
    return levels.stream().mapToDouble(CheckpointLevel::failuresPerSecond).sum();
  }

  /** The subset that uses every level. */
  public List<Integer> all() {
    return IntStream.rangeClosed(1, size()).boxed().toList();
  }

  /** Every subset that has the highest level, in no useful order. O(k·2^k). */
  public List<List<Integer>> subsets() {
    List<List<Integer>> subsets = new ArrayList<>();
    for (int bits = 0; bits < 1 << (size() - 1); bits++) {
      int chosen = bits | 1 << (size() - 1);
      subsets.add(all().stream().filter(number -> (chosen >> (number - 1) & 1) != 0).toList());
    }
    return subsets;
  }

  /**
   * The platform that uses only some levels. The failures of a level that is left out need the next
   * one in use; what its checkpoint costs is left out, too, or added to that one, as {@code costs}
   * says. Recoveries stay.
   *
   * @param subset numbers of levels, counted from 1, rising, the highest among them
   * @throws IllegalArgumentException naming the subset, if it is not that
   */
  public LevelStack select(List<Integer> subset, CostModel costs) {
    checkSubset(subset);
    List<CheckpointLevel> selected = new ArrayList<>();
    int below = 0;
    for (int number : subset) {
      List<CheckpointLevel> merged = levels.subList(below, number);
      double rate = merged.stream().mapToDouble(CheckpointLevel::failuresPerSecond).sum();
      double sum = merged.stream().mapToDouble(CheckpointLevel::checkpointSeconds).sum();
      CheckpointLevel level = level(number);
      double cost = costs == CostModel.INCREMENTAL ? sum : level.checkpointSeconds();
      selected.add(new CheckpointLevel(level.name(), rate, cost, level.recoverySeconds()));
      below = number;
    }
    return new LevelStack(selected);
  }

  private void checkSubset(List<Integer> subset) {
    int below = 0;
    for (int number : subset) {
      if (number <= below || number > size()) {
        throw new IllegalArgumentException(
            "subset " + subset + " must rise and name levels from 1 to " + size());
      }
      below = number;
    }
    if (below != size()) {
      throw new IllegalArgumentException(
          "subset "
              + subset
              + " leaves out the highest level, "
              + size()
              + ": nothing would survive its failures");
    }
  }

  /**
   * Warnings about allowed values that look like a mistake: one sentence for each cost below the
   * one before.
   */
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    for (int number = 2; number <= size(); number++) {
      CheckpointLevel lower = level(number - 1);
      CheckpointLevel higher = level(number);
      if (higher.checkpointSeconds() < lower.checkpointSeconds()) {
        warnings.add(
            String.format(
                Locale.ROOT,
                "level %d '%s' costs less than level %d '%s' (%.6g s, %.6g s): the order looks"
                    + " swapped",
                number,
                higher.name(),
                number - 1,
                lower.name(),
                higher.checkpointSeconds(),
                lower.checkpointSeconds()));
      }
    }
    return warnings;
  }
}
