package io.cairn.core.cadence;

/** Sums up time, work and predicted waste. Not thread-safe. */
final class WasteAccount {
  private double seconds;
  private double usefulSeconds;
  private double predictedWasteSeconds;

  void passed(double time, double predictedWaste) {
    seconds += time;
    predictedWasteSeconds += time * predictedWaste;
  }

  /** Adds work, or subtracts lost work if negative. */
  void worked(double time) {
    usefulSeconds += time;
  }

  double seconds() {
    return seconds;
  }

  double predicted() {
    return predictedWasteSeconds / seconds;
  }

  double achieved() {
    return 1 - usefulSeconds / seconds;
  }
}
