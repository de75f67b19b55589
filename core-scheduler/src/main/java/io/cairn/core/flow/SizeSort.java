package io.cairn.core.flow;

import java.util.Arrays;

/**
 * Sorts sizes. Many sizes are sorted digit by digit, which is several times faster than comparison,
 * since random sizes defeat branch prediction. O(sizes × digits of the greatest); keeps its arrays;
 * one thread.
 */
final class SizeSort {
  private static final int BITS = 11;
  private static final int DIGITS = 1 << BITS;

  /** Fewer sizes are sorted by comparison. */
  private static final int MANY = 256;

  private final int[] starts = new int[DIGITS];
  private long[] other = new long[0];

  /** Sorts the first sizes, none negative; returns the given array or another. */
  long[] sort(long[] sizes, int count) {
    if (count < MANY) {
      Arrays.sort(sizes, 0, count);
      return sizes;
    }
    if (other.length < sizes.length) {
      other = new long[sizes.length];
    }
    long greatest = 0;
    for (int k = 0; k < count; k++) {
      greatest |= sizes[k];
    }
    long[] from = sizes;
    long[] to = other;
    for (int shift = 0; shift < Long.SIZE && greatest >>> shift != 0; shift += BITS) {
      byDigit(from, to, count, shift);
      long[] swap = from;
      from = to;
      to = swap;
    }
    other = to;
    return from;
  }

  private void byDigit(long[] from, long[] to, int count, int shift) {
    Arrays.fill(starts, 0);
    for (int k = 0; k < count; k++) {
      starts[(int) (from[k] >>> shift) & (DIGITS - 1)]++;
    }
    int start = 0;
    for (int digit = 0; digit < DIGITS; digit++) {
      int size = starts[digit];
      starts[digit] = start;
      start += size;
    }
    for (int k = 0; k < count; k++) {
      to[starts[(int) (from[k] >>> shift) & (DIGITS - 1)]++] = from[k];
    }
  }
}
