package io.cairn.core.adjoint;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

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
          "%d steps at a cost of %d over %d tiers; allowed are 1 to %d, 0 to %d, and 1 or more"
              .formatted(
                  steps, forwardCost, tiers.size(), Schedules.MOST_TABLED_STEPS, Tier.MOST_COST));
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
  public long steps() {
    return steps;
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

  private final class Actions implements Iterator<Action> {
    /** Segments whose first state is kept, and whose right neighbours come first. */
    private final Deque<Segment> left = new ArrayDeque<>();

    /** Its first state lies in WORK. */
    private @Nullable Segment present;

    private boolean forwardEnded;
    private boolean ended;

    Actions() {
      int last = tiers.size() - 1;
      present = new Segment(last, tables.allOf(last), 0, steps, false);
    }

    @Override
    public boolean hasNext() {
      return !ended;
    }

    @Override
    public Action next() {
      if (ended) {
        throw new NoSuchElementException("the schedule of " + steps + " steps has ended");
      }
      Segment segment = present;
      if (segment != null) {
        return segment.length() == 1 ? reverse(segment) : advance(lowered(segment));
      } else if (left.isEmpty()) {
        ended = true;
        return new Action.EndReverse();
      }
      return bringBack(left.pop());
    }

    private Action reverse(Segment segment) {
      if (!forwardEnded) {
        forwardEnded = true;
        return new Action.EndForward();
      }
      present = null;
      return new Action.Reverse(segment.from());
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

    private Action advance(Segment segment) {
      int tier = segment.tier();
      int middle = segment.from() + tables.split(tier, segment.free(), segment.length());
      left.push(new Segment(tier, segment.free(), segment.from(), middle, true));
      present = new Segment(tier, tables.less(tier, segment.free()), middle, segment.to(), false);
      boolean restart = !segment.kept();
      return new Action.Forward(segment.from(), middle, restart, restart ? tier : Action.WORK);
    }

    private Action bringBack(Segment segment) {
      int tier = segment.tier();
      if (tables.drops(tier, segment.free(), segment.length())) {
        present = new Segment(tier, segment.free(), segment.from(), segment.to(), false);
        if (segment.length() > 1) {
          present =
              new Segment(tier - 1, tables.allOf(tier - 1), segment.from(), segment.to(), false);
        }
        return new Action.Move(segment.from(), tier);
      }
      present = segment;
      return new Action.Copy(segment.from(), tier);
    }
  }
}
