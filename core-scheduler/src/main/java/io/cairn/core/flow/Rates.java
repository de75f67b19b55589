package io.cairn.core.flow;

/** Checks rates. */
final class Rates {
  private Rates() {}

  static double require(double bytesPerSecond, String what) {
    if (!(bytesPerSecond >= 0) || bytesPerSecond == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          what + " must be finite and not negative, but is " + bytesPerSecond + " bytes/s");
    }
    return bytesPerSecond;
  }
}
