package io.cairn.core.cadence;

import java.util.Arrays;

/**
 * A typical value of measurements that follows changes. The median since the end of the last
 * pattern counts as much as all earlier patterns together. If the two differ by more than a factor
 * of two, the earlier value is dropped; after a single outlier, the next pattern corrects the
 * value. Not thread-safe.
 *
 * <p>A median, since a machine that is busy otherwise now and then holds up a capture as it holds
 * up an iteration: that time is not lost to checkpoints. It is that of at most {@value #MOST}
 * values, evenly spaced over the pattern.
 */
final class Smoothed {
  private static final double CHANGED = 2;
  private static final int FEW = 8;
  private static final int MOST = 64;

  private double before;
  private boolean known;
  private double[] values = {};
  private int count;

  /** Every {@code stride}-th value is kept; the next kept one comes after {@code left} others. */
  private int stride = 1;

  private int left;

  void add(double value) {
    if (left > 0) {
      left--;
      return;
    }
    if (count == MOST) {
      thin();
    }
    if (count == values.length) {
      values = Arrays.copyOf(values, Math.max(FEW, 2 * count));
    }
    values[count++] = value;
    left = stride - 1;
  }

  /** Drops every other value, and keeps half as many from now on. */
  private void thin() {
    for (int kept = 0; kept < MOST / 2; kept++) {
      values[kept] = values[2 * kept];
    }
    count = MOST / 2;
    stride *= 2;
  }

  /** Of the values since the last pattern; there is at least one. */
  private double median() {
    double[] sorted = Arrays.copyOf(values, count);
    Arrays.sort(sorted);
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
  }

  /** Whether the median since the last pattern differs from the earlier one by more than noise. */
  boolean changed() {
    return count > 0 && known && differ(median(), before);
  }

  private static boolean differ(double now, double before) {
    return now > CHANGED * before || before > CHANGED * now;
  }

  /** Ends a pattern: its measurements become part of the earlier value. */
  void settle() {
    if (count > 0) {
      before = value();
      known = true;
      count = 0;
      stride = 1;
      left = 0;
    }
  }

  boolean known() {
    return known || count > 0;
  }

  /** The typical value; 0 if unknown. */
  double value() {
    if (count == 0) {
      return before;
    }
    double now = median();
    return !known || differ(now, before) ? now : (before + now) / 2;
  }
}
