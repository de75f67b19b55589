package io.cairn.adjoint.schedule;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The time of a layout, by recurrences: O(kept states · tiers). Every transfer begins as soon as
 * its link is free, the state is there, and tier 0 has a slot which is not spare. Not thread-safe.
 */
final class OverlapClock {
  /** The time of a layout that has too few slots. */
  static final long NEVER = Long.MAX_VALUE / 4;

  private final OverlapCosts costs;
  private final int slots;
  private final Map<Long, Long> segments = new HashMap<>();

  OverlapClock(OverlapCosts costs, int steps) {
    this.costs = costs;
    slots = costs.slots(steps);
  }

  /** When step 0 is reversed. */
  long time(OverlapLayout layout) {
    Run run = new Run(layout);
    return run.forward() && run.backward() ? run.now : NEVER;
  }

  private long segment(int length, int spare) {
    return segments.computeIfAbsent(
        (long) spare << 32 | length, key -> costs.segment(length, spare));
  }

  private final class Run {
    private final OverlapLayout layout;
    private final int kept;

    /** States that stay on tier 0. */
    private final int staying;

    /** When each state has come to its lower tier. */
    private final long[] down;

    /** Of each tier, when its link is free. */
    private long[] free;

    /** When the transfers down end that are under way as the backward phase begins. */
    private long[] late = {};

    /** When the states that were read last leave tier 0, in this order. */
    private final long[] left;

    /** Of {@link #left} and {@link #late}, those that are before {@link #event}. */
    private int lefts;

    private int lates;

    /** The last moment at which a slot became free that was needed. */
    private long event;

    private long now;

    Run(OverlapLayout layout) {
      this.layout = layout;
      kept = layout.starts.length;
      int below = 0;
      while (below < kept && layout.tiers[below] > 0) {
        below++;
      }
      staying = kept - below;
      down = new long[below];
      left = new long[kept];
      free = new long[costs.tiers().size()];
    }

    /** Runs to the last step; false if the slots do not suffice. */
    boolean forward() {
      // Of each tier, the first state that is on its way there.
      int[] leaving = new int[costs.tiers().size()];
      int held = 0;
      for (int i = 0; i < kept; i++) {
        now += i == 0 ? 0 : costs.forward() * layout.gap(i - 1);
        if (held == slots) {
          int first = firstLeaving(leaving, i);
          if (first < 0) {
            return false;
          }
          now = Math.max(now, down[first]);
          leaving[layout.tiers[first]] = first + 1;
          held--;
        }
        held++;
        now += costs.store();
        send(i);
      }
      now += kept == 0 ? 0 : costs.forward() * layout.gap(kept - 1);
      late = Arrays.stream(down).filter(end -> end > now).sorted().toArray();
      return true;
    }

    /** The state whose transfer ends first, of those whose slots were not used again; or -1. */
    private int firstLeaving(int[] leaving, int end) {
      int first = -1;
      for (int tier = 1; tier < leaving.length; tier++) {
        int next = leaving[tier];
        while (next < Math.min(end, down.length) && layout.tiers[next] != tier) {
          next++;
        }
        leaving[tier] = next;
        boolean sent = next < Math.min(end, down.length);
        if (sent && (first < 0 || down[next] < down[first])) {
          first = next;
        }
      }
      return first;
    }

    private void send(int state) {
      int tier = layout.tiers[state];
      if (tier > 0) {
        free[tier] = Math.max(free[tier], now) + costs.tiers().get(tier).writeCost();
        down[state] = free[tier];
      }
    }

    /** Reverses all steps; false if the slots do not suffice. */
    boolean backward() {
      Arrays.fill(free, 0);
      event = now;
      now += costs.backward();
      for (int i = kept - 1; i >= 0; i--) {
        if (i < down.length ? !bring(i) : !hasSpare(i)) {
          return false;
        }
        now += segment(layout.gap(i), layout.spare);
        left[kept - 1 - i] = now - costs.backward();
      }
      return true;
    }

    /** Waits until a state has come up. */
    private boolean bring(int state) {
      int ahead = slots - layout.spare;
      if (!await(staying + late.length + down.length - state - ahead, kept - 1 - state)) {
        return false;
      }
      int tier = layout.tiers[state];
      long start = Math.max(Math.max(event, free[tier]), down[state]);
      free[tier] = start + costs.tiers().get(tier).readCost();
      now = Math.max(now, free[tier]);
      return true;
    }

    /** Waits until a state that stayed has the spare slots that its segment uses. */
    private boolean hasSpare(int state) {
      int used = Math.min(layout.spare, layout.gap(state) - 2);
      int missing = state - down.length + 1 + late.length + used - slots;
      if (used <= 0 || missing <= 0) {
        return true;
      } else if (missing > late.length) {
        return false;
      }
      now = Math.max(now, late[missing - 1]);
      return true;
    }

    /** Finds the moment at which so many slots have become free; of the first so many known. */
    private boolean await(int needed, int known) {
      while (lefts + lates < needed) {
        if (lates < late.length && (lefts == known || late[lates] <= left[lefts])) {
          event = late[lates++];
        } else if (lefts < known) {
          event = left[lefts++];
        } else {
          return false;
        }
      }
      return true;
    }
  }
}
