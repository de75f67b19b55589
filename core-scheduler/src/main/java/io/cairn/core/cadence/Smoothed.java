package io.cairn.core.cadence;

/**
 * A mean of measurements that follows changes: the mean since the last pattern's end counts as much
 * as all before together, unless they differ by more than a factor of two. Then something changed,
 * and what was before is of no use; if it was a single outlier, the next pattern puts it right. Not
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

  /**
   * Whether what came since the last pattern's end differs from what was before as no noise does.
   */
  boolean changed() {
    double now = sum / Math.max(1, count);
    return count > 0 && known && (now > CHANGED * before || before > CHANGED * now);
  }

  /** Ends a pattern: what came in it becomes part of what was before. */
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

  /** 0 if nothing is known. */
  double value() {
    if (count == 0) {
      return before;
    }
    double now = sum / count;
    return !known || changed() ? now : (before + now) / 2;
  }
}
