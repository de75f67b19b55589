package io.cairn.adjoint.schedule;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** Walks through the tables of least costs. See {@link Schedules#tiers}. */
final class TieredSchedule implements Schedule {
  private final int steps;
  private final List<Tier> tiers;
  private final TierTables tables;

  TieredSchedule(int steps, List<Tier> tiers, long forwardCost) {
    if (steps < 1
        || steps > Schedules.MOST_TABLED_STEPS
        || tiers.isEmpty()
        || Tier.isNoCost(forwardCost)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d steps at a cost of %d over %d tiers; allowed are 1 to %d, 0 to %d, and 1 or more",
              steps,
              forwardCost,
              tiers.size(),
              Schedules.MOST_TABLED_STEPS,
              Tier.MOST_COST));
    }
    this.steps = steps;
    this.tiers = List.copyOf(tiers);
    tables = new TierTables(steps, this.tiers, forwardCost);
    if (least() >= TierTables.IMPOSSIBLE) {
      throw new IllegalArgumentException(
          steps + " steps need a slot for the first state, and no tier has one");
    }
  }

  /** The cost of all actions, reversals not counted. */
  long least() {
    int last = tiers.size() - 1;
    return tables.unkept(last, tables.allOf(last), steps);
  }

  @Override
  public OptionalLong steps() {
    return OptionalLong.of(steps);
  }

  @Override
  public List<Tier> tiers() {
    return tiers;
  }

  @Override
  public Iterator<Action> actions() {
    return new Actions();
  }

  /**
   * Steps to reverse.
   *
   * @param tier the last one that it may use
   * @param free slots of that tier
   * @param kept whether its first state lies there, in one of these slots
   */
  private record Segment(int tier, int free, int from, int to, boolean kept) {
    int length() {
      return to - from;
    }
  }

  private final class Actions extends Walk {
    /** Segments whose first state is kept, and whose right neighbours come first. */
    private final Deque<Segment> left = new ArrayDeque<>();

    /** Its first state lies in WORK, if any does. */
    private Segment present;

    Actions() {
      super(steps);
      int last = tiers.size() - 1;
      present = new Segment(last, tables.allOf(last), 0, steps, false);
    }

    /** The same steps on the last tier that they really use. */
    private Segment lowered(Segment segment) {
      Segment lowest = segment;
      while (!lowest.kept() && tables.leaves(lowest.tier(), lowest.free(), lowest.length())) {
        int tier = lowest.tier() - 1;
        lowest = new Segment(tier, tables.allOf(tier), lowest.from(), lowest.to(), false);
      }
      return lowest;
    }

    @Override
    Action advance() {
      Segment segment = lowered(present);
      int tier = segment.tier();
      int from = segment.from();
      int middle = from + tables.split(tier, segment.free(), segment.length());
      left.push(new Segment(tier, segment.free(), from, middle, true));
      present = new Segment(tier, tables.less(tier, segment.free()), middle, segment.to(), false);
      return ran(
          segment.kept()
              ? Action.Forward.only(from, middle)
              : Action.Forward.keeping(from, middle, tier));
    }

    @Override
    Action bringBack() {
      Segment segment = left.pop();
      int tier = segment.tier();
      present = segment;
      if (!tables.drops(tier, segment.free(), segment.length())) {
        return copied(segment.from(), tier);
      }
      if (segment.length() > 1) {
        present =
            new Segment(tier - 1, tables.allOf(tier - 1), segment.from(), segment.to(), false);
      }
      return moved(segment.from(), tier);
    }
  }
}
