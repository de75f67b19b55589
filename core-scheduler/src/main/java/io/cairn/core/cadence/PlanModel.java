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
   * takes too long. Each segment of length d, with the stop and the slow-down of its checkpoint,
   * the failures of the lowest level at rate λ and their recovery R, then counts as work that takes (e^(λd) − 1)·(1/λ + R). A failure before the
   * flush of L has ended repeats one segment more: (e^(λL) − 1)·d. The result differs only where a
   * failure of a higher level strikes during such a recovery, or two failures a segment.
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
  private final long[] limits;
  private final NonBlockingPattern all;
  private final NonBlockingPattern upper;

  /**
   * A model of these levels.
   *
   * @param levels in use, the cheapest first
   * @param withinSeconds per level, the age that its newest checkpoint may reach; may be infinite
   */
  PlanModel(
      List<NonBlockingLevel> levels,
      double iterationSeconds,
      double stallBudget,
      double[] withinSeconds) {
    this.levels = levels;
    this.iterationSeconds = iterationSeconds;
    this.stallBudget = stallBudget;
    this.limits = new long[levels.size()];
    long above = Long.MAX_VALUE;
    for (int level = limits.length - 1; level >= 0; level--) {
      above = Math.min(above, limit(levels.get(level), withinSeconds[level]));
      limits[level] = above;
    }
    this.all = new NonBlockingPattern(levels);
    this.upper =
        levels.size() == 1 ? all : new NonBlockingPattern(levels.subList(1, levels.size()));
  }

  /** The longest period that keeps a bound; not shorter than the level takes to drain. */
  private long limit(NonBlockingLevel level, double withinSeconds) {
    double kept =
        (withinSeconds - level.flushSeconds())
            / (iterationSeconds + levels.get(0).blockingSeconds());
    return Math.max(drains(level), (long) Math.floor(kept));
  }

  /** The shortest period that a level drains in. */
  private long drains(NonBlockingLevel level) {
    return Math.max(1, (long) Math.ceil(DRAIN_MARGIN * level.flushSeconds() / iterationSeconds));
  }

  /** The shortest period of the lowest level by itself: within the stall budget, and drained. */
  long leastPeriod() {
    return Math.max(drains(levels.get(0)), leastWithinBudget());
  }

  private long leastWithinBudget() {
    return (long) Math.ceil(levels.get(0).blockingSeconds() / iterationSeconds / stallBudget);
  }

  /** How good a plan is, possible or not. */
  PlanRating rating(long[] shape) {
    double missing = missing(shape);
    double waste = missing > 0 ? 1 : predicted(shape);
    if (waste >= 1) {
      return new PlanRating(PlanRating.Kept.NONE, missing, 1);
    }
    double excess = overLimits(shape);
    return new PlanRating(
        excess > 0 ? PlanRating.Kept.DRAINED : PlanRating.Kept.ALL, excess, waste);
  }

  /**
   * By how much a plan exceeds limits. One that the level does not even drain in is none that a
   * plan could keep.
   */
  private double overLimits(long[] shape) {
    double period = shape[0];
    double excess = 0;
    for (int level = 1; level < shape.length; level++) {
      period *= shape[level];
      if (limits[level] > drains(levels.get(level))) {
        excess += above(period, (double) limits[level]);
      }
    }
    return excess;
  }

  /**
   * By how much a plan fails to be possible, so that a search sees which step leads there; 0 if it
   * is possible. Each level has to drain, and to keep its limit. If no multiple of the period below
   * does both, the least one that drains is possible, too.
   */
  private double missing(long[] shape) {
    double period = 1;
    double stall = 0;
    double missing = 0;
    for (int level = 0; level < shape.length; level++) {
      double below = period;
      period *= shape[level];
      stall += levels.get(level).blockingSeconds() / (period * iterationSeconds);
      double drains = (double) drains(levels.get(level));
      missing += above(drains, period);
      if (level > 0 && period - below >= drains) {
        missing += above(period, (double) limits[level]);
      }
    }
    return missing + above(stall, stallBudget) + above(walked(shape), MOST_SEGMENTS);
  }

  private static double above(double number, double most) {
    return number > most ? Math.log(number / most) : 0;
  }

  /** The reason why a level's period is not longer. */
  PeriodBound bound(int level, long below, long period) {
    if (level == 0) {
      return lowestBound(period);
    }
    boolean last = period + below > limits[level];
    boolean drain =
        period > limits[level] || (limits[level] == drains(levels.get(level)) && limits[level] > 1);
    return last ? (drain ? PeriodBound.DRAIN : PeriodBound.WITHIN) : PeriodBound.OPTIMUM;
  }

  /** A longer period than this level needs by itself makes room for the stops of other levels. */
  private PeriodBound lowestBound(long period) {
    if (period <= 1) {
      return PeriodBound.OPTIMUM;
    }
    boolean drains = period <= drains(levels.get(0)) && period > leastWithinBudget();
    return drains ? PeriodBound.DRAIN : PeriodBound.STALL;
  }

  /**
   * The predicted waste of a plan that may exceed the stall budget, or not drain.
   *
   * @param shape iterations per segment, then the counts of each level per checkpoint of the next
   * @return 1 if the pattern is too long to predict
   */
  double predicted(long[] shape) {
    double workSeconds = iterationSeconds;
    for (long number : shape) {
      workSeconds *= number;
    }
    if (walked(shape) > MOST_SEGMENTS) {
      return 1;
    }
    boolean folded = folds(shape);
    int[] counts =
        Arrays.stream(shape, folded ? 2 : 1, shape.length).mapToInt(n -> (int) n).toArray();
    double slower = folded ? slower(shape[0] * iterationSeconds) : 1;
    double seconds = (folded ? upper : all).expectedSeconds(counts, workSeconds * slower);
    return 1 - workSeconds / seconds;
  }

  /** The segments of a pattern that are walked through. */
  private double walked(long[] shape) {
    double segments = 1;
    for (int index = folds(shape) ? 2 : 1; index < shape.length; index++) {
      segments *= shape[index];
    }
    return segments;
  }

  private boolean folds(long[] shape) {
    return shape.length > 1 && folds(shape[1]);
  }

  private boolean folds(long segments) {
    return segments > MOST_WALKED;
  }

  /** Time per work of a segment, with its blocking time and the failures of the lowest level. */
  private double slower(double workSeconds) {
    NonBlockingLevel lowest = levels.get(0);
    double rate = lowest.failuresPerSecond();
    double slowed = lowest.overheadFactor() / (1 + lowest.overheadFactor());
    double seconds = workSeconds + lowest.blockingSeconds() + lowest.flushSeconds() * slowed;
    double again = Math.expm1(rate * lowest.flushSeconds()) * seconds;
    return (Math.expm1(rate * seconds) * (1 / rate + lowest.recoverySeconds()) + again)
        / workSeconds;
  }

  /**
   * The first-order optimum of each level by itself, as the start of a search.
   *
   * @param lowest the period of the lowest level; 0 to choose it, too
   */
  long[] firstOrder(long lowest) {
    long[] shape = new long[levels.size()];
    long period = 1;
    for (int index = 0; index < shape.length; index++) {
      NonBlockingLevel level = levels.get(index);
      double cost = level.blockingSeconds() + level.overheadFactor() * level.flushSeconds();
      double best =
          Math.max(
              Math.sqrt(2 * cost / level.failuresPerSecond()),
              1.5 * DRAIN_MARGIN * level.flushSeconds());
      long count = Math.max(1, Math.round(best / iterationSeconds / period));
      if (index == 0 && lowest > 0) {
        count = lowest;
      }
      boolean walked = index > 1 || (index == 1 && !folds(count));
      count = walked ? Math.min(MOST_AT_FIRST, count) : count;
      long draining = -Math.floorDiv(-drains(level), period);
      shape[index] =
          index == 0 ? count : Math.max(draining, Math.min(count, limits[index] / period));
      period *= shape[index];
    }
    return shape;
  }
}
