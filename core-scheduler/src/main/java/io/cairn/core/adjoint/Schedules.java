package io.cairn.core.adjoint;

import java.util.List;

/** The schedules by name. */
public final class Schedules {
  /** The largest number of steps of {@link #tiers}, whose tables grow with their square. */
  public static final int MOST_TABLED_STEPS = 100_000;

  private Schedules() {}

  /** Every state is kept, and no step runs twice. */
  public static Schedule storeAll(long steps) {
    return new EveryNth(steps, Math.max(1, steps));
  }

  /**
   * Every n-th state is kept. Each segment between two of them runs again once and is kept whole;
   * the last one is kept on the first way (Chen et al. 2016).
   *
   * @param steps 1 to {@link Binomial#MOST_STEPS}
   * @param n length of a segment, at least 1
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static Schedule everyNth(long steps, long n) {
    return new EveryNth(steps, n);
  }

  /**
   * The fewest forward steps for a number of snapshots, the initial state counted (Griewank and
   * Walther 2000). No table is made.
   *
   * @param steps 1 to {@link Binomial#MOST_STEPS}
   * @param snapshots at least 1
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static Schedule revolve(long steps, int snapshots) {
    return new Revolve(steps, snapshots);
  }

  /**
   * The least cost over ordered tiers, by the recursion of H-Revolve with every split (Herrmann and
   * Pallez 2020): optimal wherever no tier is cheaper to write or to read than the one before it.
   * O(steps² · slots) time and O(steps · slots) memory, once; an unlimited tier counts as one slot.
   *
   * @param steps 1 to {@link #MOST_TABLED_STEPS}
   * @param tiers the fastest first
   * @param forwardCost of one forward step, 0 to {@link Tier#MOST_COST}
   * @throws IllegalArgumentException if an argument is out of range, the tables would be too large,
   *     or no tier has a slot for more than one step
   */
  public static Schedule tiers(int steps, List<Tier> tiers, long forwardCost) {
    return new TieredSchedule(steps, tiers, forwardCost);
  }
}
