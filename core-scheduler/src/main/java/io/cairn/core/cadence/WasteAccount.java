package io.cairn.core.cadence;

/** Books time and work beside what was predicted of them. Not thread-safe. */
final class WasteAccount {
  private double seconds;
  private double usefulSeconds;
  private double predictedWasteSeconds;

  void passed(double time, double predictedWaste) {
    seconds += time;
    predictedWasteSeconds += time * predictedWaste;
  }

  /** Work that was done, or lost if negative. */
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
