package io.cairn.core.cadence;

/**
 * A mean of measurements that follows changes. The mean since the end of the last pattern counts as
 * much as all earlier patterns together. If the two differ by more than a factor of two, the
 * earlier value is dropped; after a single outlier, the next pattern corrects the mean. Not
 * thread-safe.
 */
final class Smoothed {
  private static final double CHANGED = 2;

  private double before;
  private boolean known;
  private double sum;
  private long count;

  void add(double value) {
    sum += value;
    count++;
  }

  /** Whether the mean since the last pattern differs from the earlier one by more than noise. */
  boolean changed() {
    double now = sum / Math.max(1, count);
    return count > 0 && known && (now > CHANGED * before || before > CHANGED * now);
  }

  /** Ends a pattern: its measurements become part of the earlier value. */
  void settle() {
    if (count > 0) {
      before = value();
      known = true;
      sum = 0;
      count = 0;
    }
  }

  boolean known() {
    return known || count > 0;
  }

  /** The mean; 0 if unknown. */
  double value() {
    if (count == 0) {
      return before;
    }
    double now = sum / count;
    return !known || changed() ? now : (before + now) / 2;
  }
}
