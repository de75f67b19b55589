package io.cairn.adjoint.schedule;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The least costs over ordered tiers. A segment begins with its first state in WORK. It may use the
 * free slots of one tier and all slots of the tiers before that. Immutable.
 *
 * <p>{@code unkept} is the least cost of a segment whose first state is kept nowhere; {@code kept},
 * of one whose first state lies on the tier, and takes one of the slots.
 */
final class TierTables {
  /** Beyond any sum of costs. */
  static final long IMPOSSIBLE = Long.MAX_VALUE / 4;

  /** The most entries of one table: 8 bytes each. */
  private static final long MOST_ENTRIES = 100_000_000;

  private final int steps;
  private final List<Tier> tiers;
  private final long forwardCost;

  /** By tier, free slots, steps. */
  private final long[][][] unkept;

  private final long[][][] kept;

  /** Steps before the second state of a segment whose first one is kept. */
  private final int[][][] splits;

  TierTables(int steps, List<Tier> tiers, long forwardCost) {
    this.steps = steps;
    this.tiers = tiers;
    this.forwardCost = forwardCost;
    requireSmall();
    unkept = new long[tiers.size()][][];
    kept = new long[tiers.size()][][];
    splits = new int[tiers.size()][][];
    for (int tier = 0; tier < tiers.size(); tier++) {
      fill(tier);
    }
  }

  private void requireSmall() {
    long layers =
        tiers.stream().mapToLong(tier -> tier.slots() + 1L).map(n -> Math.max(1, n)).sum();
    if (layers * (steps + 1L) > MOST_ENTRIES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "tables for %d steps and %d slots have more than %d entries; group steps, or use"
                  + " fewer slots",
              steps,
              layers,
              MOST_ENTRIES));
    }
  }

  /** The number of free slots when all are. */
  int allOf(int tier) {
    return Math.max(0, tiers.get(tier).slots());
  }

  /** Free slots of a tier when one more is taken. */
  int less(int tier, int free) {
    return tiers.get(tier).isUnlimited() ? free : free - 1;
  }

  /** The least cost of a segment whose first state is kept nowhere. */
  long unkept(int tier, int free, int length) {
    return unkept[tier][free][length];
  }

  /** Whether the segment is as cheap without this tier. */
  boolean leaves(int tier, int free, int length) {
    return unkept[tier][free][length] >= below(tier, length);
  }

  /** Whether a segment whose first state lies on the tier does not need it there any more. */
  boolean drops(int tier, int free, int length) {
    return length == 1 || kept[tier][free][length] >= below(tier, length);
  }

  /** Steps before the second state of a segment whose first one is kept. */
  int split(int tier, int free, int length) {
    return splits[tier][free][length];
  }

  private long below(int tier, int length) {
    if (tier == 0) {
      return length == 1 ? 0 : IMPOSSIBLE;
    }
    return unkept[tier - 1][allOf(tier - 1)][length];
  }

  private void fill(int tier) {
    int layers = allOf(tier) + 1;
    unkept[tier] = new long[layers][steps + 1];
    kept[tier] = new long[layers][steps + 1];
    splits[tier] = new int[layers][steps + 1];
    for (int free = 0; free < layers; free++) {
      boolean hasRoom = free > 0 || tiers.get(tier).isUnlimited();
      Arrays.fill(kept[tier][free], IMPOSSIBLE);
      for (int length = 1; length <= steps; length++) {
        if (hasRoom) {
          split(tier, free, length, below(tier, length));
        }
        unkept[tier][free][length] =
            Math.min(
                below(tier, length),
                hasRoom ? tiers.get(tier).writeCost() + kept[tier][free][length] : IMPOSSIBLE);
      }
    }
  }

  private void split(int tier, int free, int length, long least) {
    long[] right = unkept[tier][less(tier, free)];
    long[] left = kept[tier][free];
    long readCost = tiers.get(tier).readCost();
    int at = 0;
    for (int steps = 1; steps < length; steps++) {
      long cost = steps * forwardCost + right[length - steps] + readCost + left[steps];
      if (cost < least) {
        least = cost;
        at = steps;
      }
    }
    left[length] = least;
    splits[tier][free][length] = at;
  }
}
