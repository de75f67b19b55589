package io.cairn.lab.study.pattern;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The levels to use so that the first-order lower bound is least (Benoit et al. 2017, Theorem 3): a
 * dynamic program over the highest level in use, in O(k²), instead of 2^(k−1) subsets. In the
 * incremental cost model the same recurrence holds with the costs of the levels left out added.
 *
 * @param subset numbers of the levels to use, counted from 1, rising; the highest is always used
 * @param lowerBound Σ √(2·λ·C) over them, with the rates of the levels left out added
 */
public record SubsetSelection(List<Integer> subset, double lowerBound) {

  /** Takes a copy. */
  public SubsetSelection {
    subset = List.copyOf(subset);
  }

  /** The best subset of a platform's levels. */
  public static SubsetSelection best(LevelStack levels, CostModel costs) {
    int size = levels.size();
    double[] bound = new double[size + 1];
    int[] below = new int[size + 1];
    for (int top = 1; top <= size; top++) {
      bound[top] = Double.POSITIVE_INFINITY;
      double rate = 0;
      double sum = 0;
      for (int previous = top - 1; previous >= 0; previous--) {
        CheckpointLevel merged = levels.level(previous + 1);
        rate += merged.failuresPerSecond();
        sum += merged.checkpointSeconds();
        double cost = costs == CostModel.INCREMENTAL ? sum : levels.level(top).checkpointSeconds();
        double candidate = bound[previous] + Math.sqrt(2 * rate * cost);
        if (candidate < bound[top]) {
          bound[top] = candidate;
          below[top] = previous;
        }
      }
    }
    List<Integer> subset = new ArrayList<>();
    for (int top = size; top > 0; top = below[top]) {
      subset.add(top);
    }
    Collections.reverse(subset);
    return new SubsetSelection(subset, bound[size]);
  }
}
