package io.cairn.lab.study.adjoint;

import io.cairn.adjoint.schedule.Action;
import io.cairn.adjoint.schedule.Schedule;
import io.cairn.adjoint.schedule.Tier;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The schedule of least cost over tiers whose prices have no order. The first state of a segment
 * may lie on any set of tiers. It is written while it is in WORK, and dropped at any time. Once a
 * state is passed, everything behind it is reversed before anything ahead of it. Immutable.
 */
final class LifoOptimum implements Schedule {
  /** The most sums that are worth their time: about a second. */
  private static final long MOST_SUMS = 100_000_000;

  private static final long IMPOSSIBLE = Long.MAX_VALUE / 4;

  private final int steps;
  private final List<Tier> tiers;
  private final long forwardCost;
  private final int sets;

  /** For each tier, the distance of two numbers of its free slots in the index. */
  private final int[] strides;

  private final int layers;

  /** Least cost of a segment whose first state is in WORK: by length, set of tiers, free slots. */
  private final long[][][] inWork;

  private LifoOptimum(int steps, List<Tier> tiers, long forwardCost) {
    this.steps = steps;
    this.tiers = List.copyOf(tiers);
    this.forwardCost = forwardCost;
    sets = 1 << tiers.size();
    strides = strides(tiers, steps);
    layers = strides[tiers.size()];
    inWork = new long[steps + 1][sets][layers];
    for (int length = 1; length <= steps; length++) {
      for (int set = 0; set < sets; set++) {
        for (int free = 0; free < layers; free++) {
          inWork[length][set][free] = best(length, set, free).cost();
        }
      }
    }
  }

  /**
   * Empty if its tables would be too large.
   *
   * @param tiers at least one has a slot, unless there is one step
   */
  static Optional<Schedule> of(int steps, List<Tier> tiers, long forwardCost) {
    if (tiers.size() > 8) {
      return Optional.empty();
    }
    double sums = Math.pow(4, tiers.size()) * steps * steps;
    for (Tier tier : tiers) {
      sums *= slots(tier, steps) + 1.0;
    }
    if (sums > MOST_SUMS) {
      return Optional.empty();
    }
    return Optional.of(new LifoOptimum(steps, tiers, forwardCost));
  }

  private static int slots(Tier tier, int steps) {
    return tier.slots() == Tier.UNLIMITED ? steps : Math.min(tier.slots(), steps);
  }

  private static int[] strides(List<Tier> tiers, int steps) {
    int[] strides = new int[tiers.size() + 1];
    strides[0] = 1;
    for (int i = 0; i < tiers.size(); i++) {
      strides[i + 1] = strides[i] * (slots(tiers.get(i), steps) + 1);
    }
    return strides;
  }

  /**
   * How a segment goes on whose first state is in WORK.
   *
   * @param set of tiers on which that state lies from now on
   * @param left free slots then
   * @param split steps that run before the next segment begins; 0 if it has one step
   * @param cost of all that follows in the segment
   */
  private record Choice(int set, int left, int split, long cost) {}

  /**
   * The best choice for a segment.
   *
   * @param set of tiers on which the first state lies
   */
  private Choice best(int length, int set, int free) {
    Choice best = new Choice(0, free, 0, length == 1 ? 0 : IMPOSSIBLE);
    for (int next = 1; next < sets; next++) {
      // Until the next read, one copy that was not there before is enough: that of the least read.
      if (Integer.bitCount(next & ~set) <= 1) {
        best = better(length, set, free, next, best);
      }
    }
    return best;
  }

  private Choice better(int length, int set, int free, int next, Choice best) {
    long cost = tiers.get(leastRead(next)).readCost();
    int left = free;
    for (int i = 0; i < tiers.size(); i++) {
      boolean lay = (set >> i & 1) != 0;
      boolean lies = (next >> i & 1) != 0;
      if (lies && !lay) {
        if (free % strides[i + 1] / strides[i] == 0) {
          return best;
        }
        cost += tiers.get(i).writeCost();
        left -= strides[i];
      } else if (lay && !lies && free % strides[i + 1] / strides[i] < slotsOf(i)) {
        left += strides[i];
      }
    }
    Choice least = best;
    for (int split = 1; split < length; split++) {
      long rest = inWork[length - split][0][left] + inWork[split][next][left];
      long all = cost + split * forwardCost + rest;
      if (all < least.cost()) {
        least = new Choice(next, left, split, all);
      }
    }
    return least;
  }

  private int slotsOf(int tier) {
    return strides[tier + 1] / strides[tier] - 1;
  }

  /** The tier of a set that is the cheapest to read. */
  private int leastRead(int set) {
    int least = Integer.numberOfTrailingZeros(set);
    for (int i = least + 1; i < tiers.size(); i++) {
      if ((set >> i & 1) != 0 && tiers.get(i).readCost() < tiers.get(least).readCost()) {
        least = i;
      }
    }
    return least;
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
    Actions all = new Actions();
    all.reverse(0, steps, layers - 1);
    all.list.add(new Action.EndReverse());
    return all.list.iterator();
  }

  /** Makes the same choices again. */
  private final class Actions {
    private final List<Action> list = new ArrayList<>();
    private boolean isBackward;

    /** Reverses a segment whose first state lies in WORK, and nowhere else. */
    void reverse(int from, int end, int free) {
      int length = end - from;
      int set = 0;
      Choice choice = best(length, set, free);
      while (length > 1) {
        int middle = from + choice.split();
        run(from, middle, choice.set() & ~set);
        reverse(middle, from + length, choice.left());
        length = choice.split();
        set = choice.set();
        choice = best(length, set, choice.left());
        bringBack(from, set, choice.set());
      }
      if (!isBackward) {
        isBackward = true;
        list.add(new Action.EndForward());
      }
      list.add(new Action.Reverse(from));
    }

    private void run(int from, int to, int added) {
      int tier = added == 0 ? Action.WORK : Integer.numberOfTrailingZeros(added);
      list.add(new Action.Forward(from, to, added != 0, false, tier));
    }

    /** Reads a state where that is cheapest, and drops the copies that are not kept. */
    private void bringBack(int state, int set, int kept) {
      int read = leastRead(set);
      boolean isKept = (kept >> read & 1) != 0;
      list.add(isKept ? new Action.Copy(state, read) : new Action.Move(state, read));
      for (int tier = 0; tier < tiers.size(); tier++) {
        if (tier != read && ((set & ~kept) >> tier & 1) != 0) {
          list.add(new Action.Delete(state, tier));
        }
      }
    }
  }
}
