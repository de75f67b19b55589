package io.cairn.adjoint.schedule;

import java.util.List;
import java.util.function.LongPredicate;

/** The schedules by name. */
public final class Schedules {
  /** The largest number of steps of {@link #tiers}, whose tables grow with their square. */
  public static final int MOST_TABLED_STEPS = 100_000;

  private Schedules() {}

  /**
   * The tape of every step is kept, and no step runs twice.
   *
   * @param steps 1 to {@link Binomial#MOST_STEPS}
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static Schedule storeAll(long steps) {
    return new EveryNth(steps, Math.max(1, steps));
  }

  /**
   * Every n-th state is kept. Each segment between two of them runs again once, and the tapes of
   * its steps are kept; the last one is taped on the first way (Chen et al. 2016).
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

  /**
   * Every state whose number is a multiple of the period is kept on a disk, which is tier 1. Within
   * a segment snapshots in memory, tier 0, make the steps fewest (Aupy and Herrmann 2017). {@link
   * BestPeriod} says which period costs least. No table is made.
   *
   * @param steps 1 to {@link Binomial#MOST_STEPS}
   * @param period at least 1
   * @param snapshots in memory beside the start of the segment, 0 or more
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static Schedule periodic(long steps, long period, int snapshots) {
    return new Periodic(steps, period, snapshots);
  }

  /**
   * The fewest forward runs where a unit of memory holds a state or the tape of one step, which are
   * of equal size (Maddison 2024). O(steps² · units) time and O(steps · units) memory, once.
   *
   * @param steps 1 to {@link #MOST_TABLED_STEPS}
   * @param units at least 1, or 0 for one step
   * @throws IllegalArgumentException if an argument is out of range, or the tables would be too
   *     large
   */
  public static Schedule mixed(int steps, int units) {
    return new Mixed(steps, units);
  }

  /**
   * Snapshots for a program that does not know its end. At each step it keeps those snapshots with
   * which the program would run the fewest steps if it ended after the next one. So no schedule is
   * better for up to C(snapshots + 2, 2) + 1 steps, and none can be beyond that for all lengths
   * (Stumm and Walther 2010). Each step takes O(snapshots · repetition) time.
   *
   * @param snapshots at least 1, that of the initial state counted
   * @param isLast whether the step that begins with the state in WORK is the last one; asked once
   *     for each step, from 0 on
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static Schedule online(int snapshots, LongPredicate isLast) {
    return new Online(snapshots, isLast);
  }

  /**
   * Little time for forward and backward over tiers that work beside the program. The program waits
   * for copies between WORK and tier 0 alone: these are the prices of tier 0. The prices of each
   * other tier are the times of one transfer from tier 0 to it, and back. Every tier has a link of
   * its own in each direction, which moves one state at a time.
   *
   * <p>A program keeps as many states as the links carry in time, and runs the steps between them
   * again. {@link OverlappedSchedule#leastTime} bounds the time of every schedule from below.
   * O(steps · tiers) for each layout that is tried.
   *
   * @param steps 1 to {@link OverlappedSchedule#MOST_STEPS}
   * @param tiers the one nearest to the program first; it has 1 slot or more
   * @param forwardTime of one step, 0 to {@link Tier#MOST_COST}
   * @param backwardTime of the reversal of one step, 0 to {@link Tier#MOST_COST}
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static OverlappedSchedule overlapped(
      int steps, List<Tier> tiers, long forwardTime, long backwardTime) {
    return OverlappedSchedule.of(steps, tiers, forwardTime, backwardTime);
  }
}
