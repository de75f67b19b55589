package io.cairn.core.pattern;

/**
 * The mean cost of one failure: {@code meanSeconds} of recovery, and with weight ℓ the work since
 * the checkpoint that level ℓ rolls back to. The weights sum to 1 and do not depend on the pattern,
 * so each stage of a pattern is one dot product. Immutable.
 *
 * <p>If failures strike during recoveries, a recovery of level ℓ takes R. With probability 1 − q, q
 * = e^(−ΛR), a failure of some level m strikes it; then level max(ℓ, m) recovers from the start. So
 * the time X(ℓ) from a failure of level ℓ until the lost work S(ℓ) is done again obeys
 *
 * <pre>  X(ℓ) = q·S(ℓ) + (1−q)·[1/Λ + Σ(m≤ℓ) f(m)·X(ℓ) + Σ(m&gt;ℓ) f(m)·X(m)]</pre>
 *
 * with f(m) the share of level m among the failures. With Y(ℓ) = Σ(m≥ℓ) f(m)·X(m) that is Y(ℓ) =
 * (1+u)·Y(ℓ+1) + v + w·S(ℓ), from which weights and mean follow.
 */
public final class Rollback {
  private final double failuresPerSecond;
  private final double meanSeconds;
  private final double[] weights;

  /**
   * @param rates failures per second of each level
   * @param recoveries seconds of a recovery of each level
   * @param struck whether failures strike during recoveries
   */
  public Rollback(double[] rates, double[] recoveries, boolean struck) {
    int size = rates.length;
    double total = 0;
    for (double rate : rates) {
      total += rate;
    }
    weights = new double[size];
    double lower = 1;
    double above = total;
    double[] escalation = new double[size];
    double[] constant = new double[size];
    for (int level = 0; level < size; level++) {
      double share = rates[level] / total;
      double safe = struck ? Math.exp(-total * recoveries[level]) : 1;
      double struckPart = struck ? -Math.expm1(-total * recoveries[level]) : 0;
      above = level + 1 < size ? above - rates[level] : 0;
      // 1 − (1−q)·Σ(m≤ℓ) f(m), without the cancellation of long recoveries.
      double den = above / total + (1 - above / total) * safe;
      weights[level] = lower * share * safe / den;
      escalation[level] = share * struckPart / den;
      constant[level] = struck ? escalation[level] / total : share * recoveries[level];
      lower *= 1 + escalation[level];
    }
    double mean = 0;
    for (int level = size - 1; level >= 0; level--) {
      mean = mean * (1 + escalation[level]) + constant[level];
    }
    failuresPerSecond = total;
    meanSeconds = mean;
  }

  /** The rate of the failures of all levels together. */
  public double failuresPerSecond() {
    return failuresPerSecond;
  }

  /** The weight of a level, counted from 0. */
  public double weight(int level) {
    return weights[level];
  }

  /** The weights of all levels above one. */
  public double weightAbove(int level) {
    double sum = 0;
    for (int above = level + 1; above < weights.length; above++) {
      sum += weights[above];
    }
    return sum;
  }

  /** The mean time that a failure costs besides the work that it rolls back. */
  public double seconds() {
    return 1 / failuresPerSecond + meanSeconds;
  }
}
