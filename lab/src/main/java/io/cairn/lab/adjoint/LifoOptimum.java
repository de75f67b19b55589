package io.cairn.lab.adjoint;

import io.cairn.adjoint.schedule.Tier;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * The least cost over tiers whose prices have no order. The first state of a segment may lie on any
 * set of tiers. It is written while it is in WORK, and dropped at any time. Once a state is passed,
 * everything behind it is reversed before anything ahead of it.
 */
final class LifoOptimum {
  /** The most sums that are worth their time: about a second. */
  private static final long MOST_SUMS = 100_000_000;

  private final List<Tier> tiers;
  private final long forwardCost;
  private final int sets;

  /** For each tier, the distance of two numbers of its free slots in the index. */
  private final int[] strides;

  private final int layers;

  /** Least cost of a segment whose first state is in WORK: by length, set of tiers, free slots. */
  private final long[][][] inWork;

  private LifoOptimum(int steps, List<Tier> tiers, long forwardCost) {
    this.tiers = tiers;
    this.forwardCost = forwardCost;
    sets = 1 << tiers.size();
    strides = strides(tiers, steps);
    layers = strides[tiers.size()];
    inWork = new long[steps + 1][sets][layers];
    for (int length = 1; length <= steps; length++) {
      fill(length);
    }
  }

  /** The cost without reversals; empty if the tables would be too large. */
  static OptionalLong of(int steps, List<Tier> tiers, long forwardCost) {
    if (tiers.size() > 8) {
      return OptionalLong.empty();
    }
    double sums = Math.pow(4, tiers.size()) * steps * steps;
    for (Tier tier : tiers) {
      sums *= slots(tier, steps) + 1.0;
    }
    if (sums > MOST_SUMS) {
      return OptionalLong.empty();
    }
    LifoOptimum tables = new LifoOptimum(steps, tiers, forwardCost);
    return OptionalLong.of(tables.inWork[steps][0][tables.layers - 1]);
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

  private void fill(int length) {
    for (int set = 0; set < sets; set++) {
      Arrays.fill(inWork[length][set], length == 1 ? 0 : Long.MAX_VALUE / 4);
      for (int free = 0; length > 1 && free < layers; free++) {
        for (int next = 1; next < sets; next++) {
          inWork[length][set][free] =
              Math.min(inWork[length][set][free], withSet(length, set, free, next));
        }
      }
    }
  }

  /** The least cost if the first state lies on the set {@code next} when the segment begins. */
  private long withSet(int length, int set, int free, int next) {
    long cost = 0;
    int left = free;
    for (int i = 0; i < tiers.size(); i++) {
      boolean lay = (set >> i & 1) != 0;
      boolean lies = (next >> i & 1) != 0;
      if (lies && !lay) {
        if (free % strides[i + 1] / strides[i] == 0) {
          return Long.MAX_VALUE / 4;
        }
        cost += tiers.get(i).writeCost();
        left -= strides[i];
      } else if (lay && !lies && free % strides[i + 1] / strides[i] < slotsOf(i)) {
        left += strides[i];
      }
    }
    long least = Long.MAX_VALUE / 4;
    for (int steps = 1; steps < length; steps++) {
      long rest = inWork[length - steps][0][left] + inWork[steps][next][left];
      least = Math.min(least, steps * forwardCost + rest);
    }
    return cost + least + leastRead(next);
  }

  private int slotsOf(int tier) {
    return strides[tier + 1] / strides[tier] - 1;
  }

  private long leastRead(int set) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < tiers.size(); i++) {
      if ((set >> i & 1) != 0) {
        least = Math.min(least, tiers.get(i).readCost());
      }
    }
    return least;
  }
}
