package io.cairn.lab.measure;

import java.util.List;

/** Quantiles of few numbers. */
public final class Middle {
  private Middle() {}

  /** The median; of an even count the mean of the two in the middle. */
  public static double of(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int last = sorted.size() - 1;
    return (sorted.get(last / 2) + sorted.get((last + 1) / 2)) / 2;
  }

  /** The least that the share {@code q} of all do not exceed. */
  public static double quantile(List<Double> values, double q) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get(Math.max(0, (int) Math.ceil(q * sorted.size()) - 1));
  }
}
