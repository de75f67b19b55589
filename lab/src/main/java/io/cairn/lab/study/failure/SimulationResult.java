package io.cairn.lab.study.failure;

import java.util.List;

/**
 * The times of the simulated runs.
 *
 * @param runs how many there were
 * @param workSeconds the work in one run
 * @param meanSeconds the mean time of a run
 * @param standardErrorSeconds the standard error of that mean; NaN after a single run
 * @param rollbacks per level of the pattern, over all runs: recoveries begun at that level. A
 *     recovery that a failure makes begin again is counted again, so the sum is the number of
 *     failures that struck
 * @param skippedFlushes checkpoints that did not go to a level because a flush to it was under way
 * @param events segments and checkpoints completed and failures that struck, over all runs
 */
public record SimulationResult(
    long runs,
    double workSeconds,
    double meanSeconds,
    double standardErrorSeconds,
    List<Long> rollbacks,
    long skippedFlushes,
    long events) {
  /** Quantiles of the normal distribution: 97.5 % and 99.5 %. */
  private static final double Z95 = 1.959963984540054;

  private static final double Z99 = 2.5758293035489004;

  /** Takes a copy of the list. */
  public SimulationResult {
    rollbacks = List.copyOf(rollbacks);
  }

  /** Half the width of the 95 % confidence interval around {@link #meanSeconds}. */
  public double ci95Seconds() {
    return Z95 * standardErrorSeconds;
  }

  /** Half the width of the 99 % confidence interval around {@link #meanSeconds}. */
  public double ci99Seconds() {
    return Z99 * standardErrorSeconds;
  }

  /** Time per work, minus 1. */
  public double overhead() {
    return meanSeconds / workSeconds - 1;
  }

  /** Half the width of the 95 % confidence interval around {@link #overhead}. */
  public double ci95Overhead() {
    return ci95Seconds() / workSeconds;
  }

  /** Half the width of the 99 % confidence interval around {@link #overhead}. */
  public double ci99Overhead() {
    return ci99Seconds() / workSeconds;
  }
}
