package io.cairn.core.flow;

/** What a rate may be. */
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
