package io.cairn.lab.study.pattern;

import org.hipparchus.optim.MaxEval;
import org.hipparchus.optim.nonlinear.scalar.GoalType;
import org.hipparchus.optim.univariate.BrentOptimizer;
import org.hipparchus.optim.univariate.SearchInterval;
import org.hipparchus.optim.univariate.UnivariateObjectiveFunction;
import org.hipparchus.optim.univariate.UnivariatePointValuePair;

/**
 * The counts and the length with the least overhead. The length, for given counts, by Brent's
 * method on its logarithm, over which the overhead falls and then rises; the counts by steps that
 * halve down to 1, in one count or in two at once, from where first order puts them. Not
 * thread-safe.
 */
public final class PatternSearch {
  private static final double FIRST_STEP = 0.25;
  private static final double TOLERANCE = 1e-7;
  private static final int MAX_EVALUATIONS = 500;

  /** The range of lengths, as logarithms of seconds, beyond which none is looked for. */
  private static final double MAX_LOG_LENGTH = 60;

  private final Objective objective;
  private final boolean fixedLength;
  private final BrentOptimizer brent = new BrentOptimizer(TOLERANCE, TOLERANCE);

  private int[] counts;
  private double lengthSeconds;
  private double overhead;

  /** The overhead of a pattern; infinite where it cannot be used. */
  public interface Objective {
    /** The overhead of one pattern, relative to its length. */
    double overhead(int[] counts, double lengthSeconds);
  }

  /**
   * A search that begins at these counts and this length.
   *
   * @param fixedLength whether the length is given, and only counts are looked for
   */
  public PatternSearch(
      Objective objective, int[] counts, double lengthSeconds, boolean fixedLength) {
    this.objective = objective;
    this.fixedLength = fixedLength;
    this.counts = counts.clone();
    this.lengthSeconds = lengthSeconds;
    this.overhead = fixedLength ? objective.overhead(counts, lengthSeconds) : bestLength(counts);
  }

  /** The best counts so far; a copy. */
  public int[] counts() {
    return counts.clone();
  }

  /** The length that goes with {@link #counts}. */
  public double lengthSeconds() {
    return lengthSeconds;
  }

  /** The overhead of {@link #counts} and {@link #lengthSeconds}. */
  public double overhead() {
    return overhead;
  }

  /** Moves to the best counts. */
  public void searchCounts() {
    int step = 1;
    for (int count : counts) {
      step = Math.max(step, Integer.highestOneBit(count) / 4);
    }
    while (step > 0) {
      boolean moved = true;
      while (moved) {
        moved = moveOne(step) || (step == 1 && moveTwo());
      }
      step /= 2;
    }
  }

  private boolean moveOne(int step) {
    boolean moved = false;
    for (int index = 0; index < counts.length; index++) {
      moved |= tryMove(index, step, index, 0) || tryMove(index, -step, index, 0);
    }
    return moved;
  }

  private boolean moveTwo() {
    for (int one = 0; one < counts.length; one++) {
      for (int other = one + 1; other < counts.length; other++) {
        for (int sign = -1; sign <= 1; sign += 2) {
          if (tryMove(one, sign, other, 1) || tryMove(one, sign, other, -1)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private boolean tryMove(int one, int step, int other, int otherStep) {
    int[] next = counts.clone();
    next[one] += step;
    next[other] += otherStep;
    if (next[one] < 1 || next[other] < 1) {
      return false;
    }
    double before = lengthSeconds;
    double candidate = fixedLength ? objective.overhead(next, lengthSeconds) : bestLength(next);
    if (candidate < overhead) {
      counts = next;
      overhead = candidate;
      return true;
    }
    lengthSeconds = before;
    return false;
  }

  /**
   * Sets the length to the best one of these counts, from where it is, and returns its overhead.
   */
  private double bestLength(int[] of) {
    double middle = usable(of, Math.log(lengthSeconds));
    double value = at(of, middle);
    if (Double.isInfinite(value)) {
      return value;
    }
    double step = FIRST_STEP;
    double lower = middle - step;
    double lowerValue = at(of, lower);
    while (lowerValue <= value && lower > -MAX_LOG_LENGTH) {
      middle = lower;
      value = lowerValue;
      lower -= step *= 2;
      lowerValue = at(of, lower);
    }
    double upper = middle + FIRST_STEP;
    step = FIRST_STEP;
    double upperValue = at(of, upper);
    while (upperValue < value && upper < MAX_LOG_LENGTH) {
      lower = middle;
      middle = upper;
      value = upperValue;
      upper += step *= 2;
      upperValue = at(of, upper);
    }
    UnivariatePointValuePair best =
        brent.optimize(
            new MaxEval(MAX_EVALUATIONS),
            GoalType.MINIMIZE,
            new SearchInterval(lower, upper, middle),
            new UnivariateObjectiveFunction(log -> at(of, log)));
    lengthSeconds = Math.exp(best.getPoint());
    return best.getValue();
  }

  /** The nearest length, by and large, that can be used: too long and too short ones cannot. */
  private double usable(int[] of, double logLength) {
    if (Double.isInfinite(at(of, logLength))) {
      for (double step = FIRST_STEP; step < MAX_LOG_LENGTH; step *= 1.5) {
        if (at(of, logLength + step) < Double.POSITIVE_INFINITY) {
          return logLength + step;
        }
        if (at(of, logLength - step) < Double.POSITIVE_INFINITY) {
          return logLength - step;
        }
      }
    }
    return logLength;
  }

  private double at(int[] of, double logLength) {
    return objective.overhead(of, Math.exp(logLength));
  }
}
