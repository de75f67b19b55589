package io.cairn.lab.measure;

import java.util.Arrays;

/** Durations of one kind, given in nanoseconds and read in milliseconds. Not thread-safe. */
public final class Samples {
  private static final double NANOS_PER_MILLI = 1e6;

  private long[] nanos = new long[64];
  private int count;

  /** Adds a duration in nanoseconds. */
  public void add(long duration) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = duration;
  }

  /** How many there are. */
  public int count() {
    return count;
  }

  /**
   * The smallest sample that at least the share {@code q} of all do not exceed; 0 without samples.
   */
  public double quantileMillis(double q) {
    if (count == 0) {
      return 0;
    }
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return sorted[Math.max(0, (int) Math.ceil(q * count) - 1)] / NANOS_PER_MILLI;
  }
}
