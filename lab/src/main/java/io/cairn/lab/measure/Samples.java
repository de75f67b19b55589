package io.cairn.lab.measure;

import java.math.BigDecimal;
import java.math.MathContext;
import org.HdrHistogram.Histogram;

/** Durations of one kind, given in nanoseconds and read in milliseconds. Not thread-safe. */
public final class Samples {
  private static final int DIGITS = 5;
  private static final BigDecimal NANOS_PER_MILLI = BigDecimal.valueOf(1_000_000);

  private final Histogram nanos = new Histogram(DIGITS);

  /** Adds a duration in nanoseconds. */
  public void add(long duration) {
    nanos.recordValue(duration);
  }

  /** The number of samples. */
  public int count() {
    return Math.toIntExact(nanos.getTotalCount());
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
