package io.cairn.adjoint.schedule;

import java.util.Locale;

/**
 * Slots of equal size, and the price of their use. Prices have one unit, which the caller chooses.
 *
 * @param name for messages
 * @param slots 0 or more, or {@link #UNLIMITED}
 * @param writeCost of one state to the tier, 0 or more
 * @param readCost of one state from the tier, 0 or more
 */
public record Tier(String name, int slots, long writeCost, long readCost) {
  /** As many slots as a schedule wants. */
  public static final int UNLIMITED = -1;

  /** The highest price, so that sums of them stay exact. */
  public static final long MOST_COST = 1_000_000;

  /** Checks the numbers. */
  public Tier {
    if (slots < UNLIMITED) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "tier %s: %d slots; allowed are 0 or more, and UNLIMITED", name, slots));
    } else if (isNoCost(writeCost) || isNoCost(readCost)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "tier %s: costs of %d to write and %d to read; allowed are 0 to %d",
              name,
              writeCost,
              readCost,
              MOST_COST));
    }
  }

  static boolean isNoCost(long cost) {
    return cost < 0 || cost > MOST_COST;
  }

  /** A tier whose use costs nothing, as the program's memory. */
  public static Tier free(int slots) {
    return new Tier("memory", slots, 0, 0);
  }

  boolean isUnlimited() {
    return slots == UNLIMITED;
  }
}
