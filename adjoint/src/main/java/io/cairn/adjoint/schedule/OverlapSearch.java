package io.cairn.adjoint.schedule;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds a layout of little time. A program of few steps tries all sets of states. A longer one
 * estimates spreads, and lets the clock decide between the best of them and their neighbours. The
 * search ends as soon as a layout reaches the bound. Not thread-safe.
 */
final class OverlapSearch {
  /** The most steps before the last one whose sets of states are all tried. */
  private static final int MOST_TRIED = 9;

  /** How many spreads the clock begins with. */
  private static final int BEST = 4;

  /** Parts into which a range is divided before the best part is searched on. */
  private static final int PARTS = 24;

  private final int reach;
  private final OverlapCosts costs;
  private final OverlapBound bound;
  private final OverlapClock clock;
  private final int slots;
  private final Set<OverlapSpread> timed = new HashSet<>();
  private OverlapLayout best;
  private long time = OverlapClock.NEVER;
  private boolean isClose;

  OverlapSearch(int steps, OverlapCosts costs) {
    reach = steps - 1;
    this.costs = costs;
    bound = new OverlapBound(steps, costs);
    clock = new OverlapClock(costs, steps);
    slots = costs.slots(Math.max(1, reach));
    best = new OverlapLayout(reach, new int[0], new int[0], 0);
    if (reach == 0) {
      time = clock.time(best);
    } else {
      run();
    }
  }

  OverlapLayout best() {
    return best;
  }

  long time() {
    return time;
  }

  /** The bound below the time of every schedule. */
  long leastTime() {
    return bound.time(time);
  }

  private void run() {
    if (reach <= MOST_TRIED) {
      trySets();
    }
    for (OverlapSpread spread : spreads()) {
      climb(spread);
    }
  }

  private void trySets() {
    for (int set = 1; set < 1 << reach; set += 2) {
      int[] starts = new int[Integer.bitCount(set)];
      int next = 0;
      for (int state = 0; state < reach; state++) {
        if ((set >> state & 1) != 0) {
          starts[next++] = state;
        }
      }
      trySet(starts);
    }
  }

  private void trySet(int[] starts) {
    int most = Math.min(starts.length, costs.below(reach));
    for (int below = Math.max(0, starts.length - slots); below <= most; below++) {
      for (int spare = 0; spare < slots; spare++) {
        OverlapSpread spread = new OverlapSpread(below, starts.length - below, spare);
        int[] tiers = OverlapLayout.tiers(spread.counts(costs, reach), starts.length);
        offer(new OverlapLayout(reach, starts, tiers, spare));
      }
    }
  }

  private long offer(OverlapLayout layout) {
    long offered = clock.time(layout);
    if (offered < time) {
      time = offered;
      best = layout;
    }
    return offered;
  }

  /** The spreads with the best estimates, for each number of spare slots one. */
  private List<OverlapSpread> spreads() {
    List<OverlapSpread> spreads = new ArrayList<>();
    for (int spare = 0; spare < slots; spare += 1 + spare / 6) {
      spreads.add(best(spare));
    }
    spreads.sort(Comparator.comparingLong(spread -> spread.estimate(costs, reach)));
    return spreads.subList(0, Math.min(BEST, spreads.size()));
  }

  private OverlapSpread best(int spare) {
    int low = 0;
    int high = costs.below(reach);
    OverlapSpread least = spread(0, slots, spare);
    for (int step = high; step > 1; ) {
      step = Math.max(1, (high - low) / PARTS);
      for (int below = low; below <= high; below += step) {
        OverlapSpread other = spread(below, slots, spare);
        if (other.estimate(costs, reach) < least.estimate(costs, reach)) {
          least = other;
        }
      }
      low = Math.max(0, least.below() - step);
      high = Math.min(costs.below(reach), least.below() + step);
    }
    return least;
  }

  private OverlapSpread spread(int below, int staying, int spare) {
    return new OverlapSpread(below, Math.min(staying, reach - below), spare);
  }

  /** Goes to better neighbours, by steps that become smaller. */
  private void climb(OverlapSpread from) {
    OverlapSpread at = from;
    long least = isClose ? 0 : timed(at);
    for (int step = Math.max(1, from.below() / 8); step > 0 && !isClose(); ) {
      OverlapSpread next = at;
      for (OverlapSpread other : around(at, step)) {
        long offered = timed(other);
        if (offered < least) {
          least = offered;
          next = other;
        }
      }
      step = next.equals(at) ? step / 2 : step;
      at = next;
    }
  }

  /** Whether a search for more is in vain. */
  private boolean isClose() {
    isClose = isClose || bound.isClose(time);
    return isClose;
  }

  private List<OverlapSpread> around(OverlapSpread at, int step) {
    int below = costs.below(reach);
    int more = Math.min(step, 1 + at.spare() / 8);
    int fewer = Math.max(1, at.staying() - Math.min(step, costs.tiers().size() - 1));
    return List.of(
        spread(Math.min(below, at.below() + step), at.staying(), at.spare()),
        spread(Math.max(0, at.below() - step), at.staying(), at.spare()),
        spread(at.below(), fewer, at.spare()),
        spread(at.below(), Math.min(slots, at.staying() + 1), at.spare()),
        spread(at.below(), at.staying(), Math.max(0, at.spare() - more)),
        spread(at.below(), at.staying(), Math.min(slots - 1, at.spare() + more)));
  }

  /** The time of a spread, which is measured once. */
  private long timed(OverlapSpread spread) {
    return spread.below() + spread.staying() > 0 && timed.add(spread)
        ? offer(spread.layout(costs, reach))
        : OverlapClock.NEVER;
  }
}
