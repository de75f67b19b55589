package io.cairn.adjoint.schedule;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * A schedule whose transfers run beside the computation, with its time. See {@link
 * Schedules#overlapped}.
 *
 * <p>Its actions are those of any schedule. A state that is kept on a lower tier takes a slot of
 * tier 0 until it has gone down. It comes up to tier 0 before its first read, and stays there until
 * it is moved. So {@link #cost} counts a read of a lower tier for each read of such a state,
 * although it comes up once.
 *
 * <p>{@link #time} supposes that each transfer begins as soon as its link is free. States come up
 * from the end of the forward phase on, in the order of their reads, as long as tier 0 has more
 * free slots than {@link #spare}.
 *
 * <p>Immutable and thread-safe; its iterators are not thread-safe.
 */
public final class OverlappedSchedule implements Schedule {
  /** The largest number of steps. */
  public static final int MOST_STEPS = 1_000_000;

  private final List<Tier> tiers;
  private final OverlapLayout layout;
  private final long time;
  private final long leastTime;

  private OverlappedSchedule(List<Tier> tiers, OverlapLayout layout, long time, long leastTime) {
    this.tiers = tiers;
    this.layout = layout;
    this.time = time;
    this.leastTime = leastTime;
  }

  static OverlappedSchedule of(int steps, List<Tier> tiers, long forward, long backward) {
    if (steps < 1
        || steps > MOST_STEPS
        || tiers.isEmpty()
        || Tier.isNoCost(forward)
        || Tier.isNoCost(backward)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d steps of %d forward and %d backward over %d tiers; allowed are 1 to %d, twice 0"
                  + " to %d, and 1 or more",
              steps,
              forward,
              backward,
              tiers.size(),
              MOST_STEPS,
              Tier.MOST_COST));
    } else if (tiers.get(0).slots() == 0) {
      throw new IllegalArgumentException(
          "tier %s, the nearest one, has no slot".formatted(tiers.get(0).name()));
    }
    OverlapCosts costs = new OverlapCosts(List.copyOf(tiers), forward, backward);
    OverlapSearch search = new OverlapSearch(steps, costs);
    return new OverlappedSchedule(costs.tiers(), search.best(), search.time(), search.leastTime());
  }

  /**
   * From the first step to the last reversal, if every action takes as long as its price says. Some
   * schedules end a little earlier: a segment counts as begun when all its slots are free.
   */
  public long time() {
    return time;
  }

  /** No schedule takes less time over these tiers. */
  public long leastTime() {
    return leastTime;
  }

  /** Slots of tier 0 that states on their way up leave free, for states of steps that run again. */
  public int spare() {
    return layout.spare;
  }

  @Override
  public OptionalLong steps() {
    return OptionalLong.of(layout.reach + 1L);
  }

  @Override
  public List<Tier> tiers() {
    return tiers;
  }

  @Override
  public Iterator<Action> actions() {
    return new Actions();
  }

  /** The first snapshot of a segment is a kept state. */
  private final class Actions extends BinomialWalk {
    /** The kept state that was written or read last. */
    private int last = -1;

    private boolean isBackward;

    Actions() {
      super(layout.reach + 1L, layout.spare + 1);
    }

    @Override
    int tier() {
      return kept.size() == 1 ? layout.tiers[last] : 0;
    }

    @Override
    Action advance() {
      if (isBackward) {
        return super.advance();
      }
      last++;
      long from = work();
      return ran(Action.Forward.keeping(from, from + layout.gap(last), layout.tiers[last]));
    }

    @Override
    Action bringBack() {
      if (!isBackward) {
        isBackward = true;
        kept.add((long) layout.starts[last]);
      } else if (kept.isEmpty()) {
        last--;
        kept.add((long) layout.starts[last]);
      }
      return super.bringBack();
    }
  }
}
