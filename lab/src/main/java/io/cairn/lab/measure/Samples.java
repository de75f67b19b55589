package io.cairn.lab.measure;

import java.math.BigDecimal;
import java.math.MathContext;
import org.HdrHistogram.Histogram;

/** Durations of one kind, given in nanoseconds and read in milliseconds. Not thread-safe. */
public final class Samples {
  private static final int DIGITS = 5;
  private static final BigDecimal NANOS_PER_MILLI = BigDecimal.valueOf(1_000_000);

  private final Histogram nanos = new Histogram(DIGITS);

  /** Middle and end of a distribution. */
  public record Quantiles(double p50, double p99, double max) {}

  /** Adds a duration in nanoseconds. */
  public void add(long duration) {
    nanos.recordValue(duration);
  }

  /** The number of samples. */
  public int count() {
    return Math.toIntExact(nanos.getTotalCount());
  }

  /** The quantiles in milliseconds, as {@link #quantileMillis}. */
  public Quantiles millis() {
    return new Quantiles(quantileMillis(0.5), quantileMillis(0.99), quantileMillis(1));
  }

  /**
   * The smallest sample that at least the share {@code q} of all do not exceed, to five digits; 0
   * without samples.
   */
  public double quantileMillis(double q) {
    return BigDecimal.valueOf(nanos.getValueAtPercentile(100 * q))
        .divide(NANOS_PER_MILLI)
        .round(new MathContext(DIGITS))
        .doubleValue();
  }
}
