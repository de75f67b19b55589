package io.cairn.adjoint.schedule;

import java.util.Locale;

/**
 * The fewest forward runs of a segment whose first state lies in WORK, by free units and steps
 * (Maddison 2024). A kept state and a kept tape take one unit each. Immutable.
 */
final class MixedTables {
  private static final long IMPOSSIBLE = Long.MAX_VALUE / 4;
  private static final long MOST_ENTRIES = 100_000_000;

  private final long[][] runs;

  /** Steps before the second kept state; 0 where the first step is taped. */
  private final int[][] splits;

  /**
   * Fills the tables: O(steps² · units) time.
   *
   * @throws IllegalArgumentException if they would be too large
   */
  MixedTables(int steps, int units) {
    if ((units + 1L) * (steps + 1L) > MOST_ENTRIES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "tables for %d steps and %d units have more than %d entries; group steps, or use"
                  + " fewer units",
              steps,
              units,
              MOST_ENTRIES));
    }
    runs = new long[units + 1][steps + 1];
    splits = new int[units + 1][steps + 1];
    for (int free = 0; free <= units; free++) {
      runs[free][1] = 1;
      for (int length = 2; length <= steps; length++) {
        fill(free, length);
      }
    }
  }

  private void fill(int free, int length) {
    runs[free][length] = IMPOSSIBLE;
    if (free == 0) {
      return;
    }
    long[] right = runs[free - 1];
    long[] left = runs[free];
    long least = 1 + right[length - 1];
    int at = 0;
    for (int steps = 1; steps < length; steps++) {
      long all = steps + right[length - steps] + left[steps];
      if (all < least) {
        least = all;
        at = steps;
      }
    }
    left[length] = least;
    splits[free][length] = at;
  }

  /** All forward runs, those within reversals included. */
  long runs(int free, int length) {
    return runs[free][length];
  }

  /**
   * Steps that run from the first state, which is kept, to the second; 0 if the first step is
   * taped.
   */
  int split(int free, int length) {
    return splits[free][length];
  }
}
