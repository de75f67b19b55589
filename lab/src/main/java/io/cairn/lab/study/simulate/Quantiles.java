package io.cairn.lab.study.simulate;

import io.cairn.lab.measure.Middle;
import java.util.List;
import java.util.stream.DoubleStream;

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
    List<Double> all = DoubleStream.of(values).boxed().toList();
    return new Quantiles(Middle.of(all), Middle.quantile(all, .9), Middle.quantile(all, 1));
  }
}
