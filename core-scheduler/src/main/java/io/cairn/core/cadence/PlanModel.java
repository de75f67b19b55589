package io.cairn.core.cadence;

import io.cairn.core.pattern.NonBlockingLevel;
import io.cairn.core.pattern.NonBlockingPattern;
import java.util.Arrays;
import java.util.List;

/**
 * The predicted waste of periods in whole iterations, by {@link NonBlockingPattern}. Not
 * thread-safe.
 */
final class PlanModel {
  /*
   * Folding
   *
   * If very many checkpoints of the lowest level lie between two of the next, walking through each
   * takes too long. Each segment of length d, with the failures of the lowest level at rate λ and
   * their recovery R, then counts as work that takes (e^(λd) − 1)·(1/λ + R). The result differs
   * only where a failure of a higher level strikes during such a recovery.
   */

  /** The most segments between checkpoints of the second level that are not folded. */
  private static final int MOST_WALKED = 8;

  /** The most segments of a pattern. */
  private static final double MOST_SEGMENTS = 4096;

  /** The most checkpoints of a level per checkpoint of the next at the start of a search. */
  private static final long MOST_AT_FIRST = 16;

  /** The least period of a level, as a multiple of the time that it takes to drain. */
  private static final double DRAIN_MARGIN = 1.05;

  private final List<NonBlockingLevel> levels;
  private final double iterationSeconds;
  private final double stallBudget;
  private final NonBlockingPattern all;
  private final NonBlockingPattern upper;

  /**
   * A model of these levels.
   *
   * @param levels in use, the cheapest first
   */
  PlanModel(List<NonBlockingLevel> levels, double iterationSeconds, double stallBudget) {
    this.levels = levels;
    this.iterationSeconds = iterationSeconds;
    this.stallBudget = stallBudget;
    this.all = new NonBlockingPattern(levels);
    this.upper =
        levels.size() == 1 ? all : new NonBlockingPattern(levels.subList(1, levels.size()));
  }

  int size() {
    return levels.size();
  }

  /**
   * The predicted waste.
   *
   * @param shape iterations per segment, then the counts of each level per checkpoint of the next
   * @return 1 if a level could not drain, or the plan exceeds the stall budget
   */
  double waste(long[] shape) {
    double periodSeconds = iterationSeconds;
    double stall = 0;
    for (int level = 0; level < levels.size(); level++) {
      periodSeconds *= shape[level];
      stall += levels.get(level).blockingSeconds() / periodSeconds;
      if (periodSeconds < DRAIN_MARGIN * levels.get(level).flushSeconds()) {
        return 1;
      }
    }
    return stall > stallBudget ? 1 : evaluated(shape, periodSeconds);
  }

  private double evaluated(long[] shape, double workSeconds) {
    boolean folded = levels.size() > 1 && folds(shape[1]);
    int first = folded ? 2 : 1;
    double segments = 1;
    for (int index = first; index < shape.length; index++) {
      segments *= shape[index];
    }
    if (segments > MOST_SEGMENTS) {
      return 1;
    }
    int[] counts =
        Arrays.stream(shape, first, shape.length).mapToInt(count -> (int) count).toArray();
    double slower = folded ? slower(shape[0] * iterationSeconds) : 1;
    double seconds = (folded ? upper : all).expectedSeconds(counts, workSeconds * slower);
    return 1 - workSeconds / seconds;
  }

  private boolean folds(long segments) {
    return segments > MOST_WALKED && levels.get(0).flushSeconds() == 0;
  }

  /** Time per work of a segment, with its blocking time and the failures of its own level. */
  private double slower(double workSeconds) {
    NonBlockingLevel lowest = levels.get(0);
    double rate = lowest.failuresPerSecond();
    double seconds = workSeconds + lowest.blockingSeconds();
    return Math.expm1(rate * seconds) * (1 / rate + lowest.recoverySeconds()) / workSeconds;
  }

  /** The first-order optimum of each level by itself, as the start of a search. */
  long[] firstOrder() {
    long[] shape = new long[levels.size()];
    double period = 1;
    for (int index = 0; index < shape.length; index++) {
      NonBlockingLevel level = levels.get(index);
      double cost = level.blockingSeconds() + level.overheadFactor() * level.flushSeconds();
      double best =
          Math.max(
              Math.sqrt(2 * cost / level.failuresPerSecond()),
              1.5 * DRAIN_MARGIN * level.flushSeconds());
      long count = Math.max(1, Math.round(best / iterationSeconds / period));
      boolean walked = index > 1 || (index == 1 && !folds(count));
      shape[index] = walked ? Math.min(MOST_AT_FIRST, count) : count;
      period *= shape[index];
    }
    return shape;
  }
}
