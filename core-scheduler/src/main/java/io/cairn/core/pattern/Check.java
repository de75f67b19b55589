package io.cairn.core.pattern;

import java.util.List;

/** Refuses numbers that no platform has, by the name under which they were given. */
public final class Check {
  private Check() {}

  /** A finite number above zero. */
  public static double positive(double value, String what) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(what + " must be a finite number above 0, not " + value);
    }
    return value;
  }

  /** A finite number, zero or above. */
  public static double notNegative(double value, String what) {
    if (!(value >= 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(
          what + " must be a finite number, 0 or above, not " + value);
    }
    return value;
  }

  /** A whole number of at least 1. */
  public static int atLeastOne(int value, String what) {
    if (value < 1) {
      throw new IllegalArgumentException(what + " must be at least 1, not " + value);
    }
    return value;
  }

  /**
   * The segments of a pattern: the product of its counts.
   *
   * @throws IllegalArgumentException if the counts do not fit the levels, or have no such product
   */
  public static int segments(List<Integer> counts, int levels) {
    if (counts.size() != levels - 1) {
      throw new IllegalArgumentException(
          "a pattern of " + levels + " levels needs " + (levels - 1) + " counts, not " + counts);
    }
    long segments = 1;
    for (int count : counts) {
      segments *= atLeastOne(count, "a count of checkpoints per next-higher level");
      if (segments > MAX_SEGMENTS) {
        throw new IllegalArgumentException(
            "counts " + counts + " make more than " + MAX_SEGMENTS + " segments per pattern");
      }
    }
    return (int) segments;
  }

  /** More segments than any job has iterations between two of its dearest checkpoints. */
  private static final int MAX_SEGMENTS = 100_000_000;
}
