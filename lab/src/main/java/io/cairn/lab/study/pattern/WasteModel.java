package io.cairn.lab.study.pattern;

import io.cairn.core.pattern.Check;

/**
 * The waste of a periodic checkpoint of one level that may be written while the application runs.
 * Source: Parasyris et al., "Checkpoint Restart Support for Heterogeneous HPC Applications", CCGrid
 * 2020, Eqs. 1 and 2. First order: it holds while the period is short beside the mean time between
 * failures. Immutable.
 *
 * @param totalSeconds from a checkpoint's begin until it is on its storage
 * @param overheadSeconds of these, how long the application stands still
 * @param recoverySeconds to read a checkpoint back
 * @param downtimeSeconds from a failure until a recovery can begin
 */
public record WasteModel(
    double totalSeconds, double overheadSeconds, double recoverySeconds, double downtimeSeconds) {

  /** Checks every number by its name. */
  public WasteModel {
    Check.positive(totalSeconds, "totalSeconds (Ctotal)");
    Check.positive(overheadSeconds, "overheadSeconds (Coverhead)");
    Check.notNegative(recoverySeconds, "recoverySeconds (R)");
    Check.notNegative(downtimeSeconds, "downtimeSeconds (D)");
    if (overheadSeconds > totalSeconds) {
      throw new IllegalArgumentException(
          "overheadSeconds (Coverhead) must not exceed totalSeconds (Ctotal): "
              + overheadSeconds
              + " and "
              + totalSeconds);
    }
  }

  /**
   * The period of Eq. 1, √(2·(μ − D − R)·Ctotal). It has the least waste of a checkpoint that
   * blocks; of one that does not, {@link #leastWastePeriodSeconds} has.
   *
   * @throws IllegalArgumentException if failures come faster than recoveries end
   */
  public double optimalPeriodSeconds(double mtbfSeconds) {
    return Math.sqrt(2 * useful(mtbfSeconds) * totalSeconds);
  }

  /** The period with the least waste of Eq. 2, √(2·(μ − D − R)·Coverhead). */
  public double leastWastePeriodSeconds(double mtbfSeconds) {
    return Math.sqrt(2 * useful(mtbfSeconds) * overheadSeconds);
  }

  /**
   * The waste of Eq. 2: the part of the run time that is not work. At 1 and above, nothing gets
   * done.
   */
  public double waste(double periodSeconds, double mtbfSeconds) {
    Check.positive(periodSeconds, "periodSeconds (T)");
    double working = 1 - overheadSeconds / periodSeconds;
    double kept = (useful(mtbfSeconds) - periodSeconds / 2) / mtbfSeconds;
    // Two parts below zero would multiply to a waste that looks fine.
    return working < 0 && kept < 0 ? 1 : 1 - working * kept;
  }

  private double useful(double mtbfSeconds) {
    Check.positive(mtbfSeconds, "mtbfSeconds (mu)");
    double useful = mtbfSeconds - downtimeSeconds - recoverySeconds;
    if (!(useful > 0)) {
      throw new IllegalArgumentException(
          "mtbfSeconds (mu) must exceed downtime and recovery together: "
              + mtbfSeconds
              + " against "
              + (downtimeSeconds + recoverySeconds));
    }
    return useful;
  }
}
