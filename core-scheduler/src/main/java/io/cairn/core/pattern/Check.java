package io.cairn.core.pattern;

/** Rejects numbers that are out of range, with a message that names them. */
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
}
