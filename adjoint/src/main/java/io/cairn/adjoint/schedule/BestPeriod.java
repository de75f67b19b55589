package io.cairn.adjoint.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The periods at which {@link Schedules#periodic} costs least per step, where it runs for long
 * (Aupy and Herrmann 2017).
 *
 * @param periods all that are equally good, in rising order
 * @param cost of one period of the first of them: its steps forward, its snapshot on the disk
 *     written and read, and the steps that run again
 */
public record BestPeriod(List<Long> periods, long cost) {
  /** Keeps a copy of the list. */
  public BestPeriod {
    periods = List.copyOf(periods);
  }

  /**
   * Tries one period after the other, up to the best: O(period) time.
   *
   * @param snapshots in memory, at least 1, the start of a period counted
   * @param diskCost of a write and a read, 0 to twice {@link Tier#MOST_COST}
   * @param forwardCost of one step, 1 to {@link Tier#MOST_COST}
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static BestPeriod of(int snapshots, long diskCost, long forwardCost) {
    if (snapshots < 1
        || diskCost < 0
        || diskCost > 2 * Tier.MOST_COST
        || forwardCost < 1
        || forwardCost > Tier.MOST_COST) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d snapshots, %d to write and read, %d for a step; allowed are 1 or more, 0 to %d, 1"
                  + " to %d",
              snapshots,
              diskCost,
              forwardCost,
              2 * Tier.MOST_COST,
              Tier.MOST_COST));
    }
    long period = 1;
    while (gain(period, snapshots, diskCost, forwardCost) > 0) {
      period++;
    }
    List<Long> periods = new ArrayList<>(List.of(period));
    for (long next = period; gain(next, snapshots, diskCost, forwardCost) == 0; next++) {
      periods.add(next + 1);
    }
    return new BestPeriod(
        periods, period * forwardCost + rest(period, snapshots, diskCost, forwardCost));
  }

  /**
   * Above 0 if one step more is cheaper per step. The function has one valley: advances are convex.
   */
  private static long gain(long period, int snapshots, long diskCost, long forwardCost) {
    return (period + 1) * rest(period, snapshots, diskCost, forwardCost)
        - period * rest(period + 1, snapshots, diskCost, forwardCost);
  }

  private static long rest(long period, int snapshots, long diskCost, long forwardCost) {
    return diskCost + forwardCost * Binomial.advances(period, snapshots);
  }
}
