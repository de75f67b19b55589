package io.cairn.lab.simulate;

import java.util.Arrays;

/**
 * A few numbers for many.
 *
 * @param median the mean of the two in the middle where their count is even
 * @param p90 the least that nine in ten do not exceed
 * @param max the greatest
 */
record Quantiles(double median, double p90, double max) {
  /** Of these values, in any order; all 0 of none. */
  static Quantiles of(double[] values) {
    if (values.length == 0) {
      return new Quantiles(0, 0, 0);
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int last = sorted.length - 1;
    double median = (sorted[last / 2] + sorted[(last + 1) / 2]) / 2;
    return new Quantiles(median, sorted[(int) Math.ceil(.9 * sorted.length) - 1], sorted[last]);
  }
}
