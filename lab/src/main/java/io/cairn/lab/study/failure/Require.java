package io.cairn.lab.study.failure;

/** The checks of arguments that this package's records share; the messages name the argument. */
final class Require {
  private Require() {}

  static double positive(String what, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(what + " must be positive and finite: " + value);
    }
    return value;
  }

  static double notNegative(String what, double value) {
    if (!(value >= 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(what + " must be finite and not negative: " + value);
    }
    return value;
  }

  static long atLeast(long least, String what, long value) {
    if (value < least) {
      throw new IllegalArgumentException(what + " must be at least " + least + ": " + value);
    }
    return value;
  }

  static void notEmpty(String what, int size) {
    if (size == 0) {
      throw new IllegalArgumentException(what + " must not be empty");
    }
  }
}
