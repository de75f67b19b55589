package io.cairn.dl4j;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A uniform sample of durations, of fixed size (Vitter's algorithm R), with the exact maximum.
 * Allocates nothing while it records. Not thread-safe.
 */
final class StallSample {
  private final long[] sample;
  private final SplittableRandom random;
  private long count;
  private long maxNanos;

  /** A sample of at most {@code size} values; the seed selects them if there are more. */
  StallSample(int size, long seed) {
    this.sample = new long[size];
    this.random = new SplittableRandom(seed);
  }

  void add(long nanos) {
    long slot = count < sample.length ? count : random.nextLong(count + 1);
    if (slot < sample.length) {
      sample[(int) slot] = nanos;
    }
    count++;
    maxNanos = Math.max(maxNanos, nanos);
  }

  StallStatistics statistics() {
    long[] sorted = Arrays.copyOf(sample, (int) Math.min(count, sample.length));
    Arrays.sort(sorted);
    return new StallStatistics(count, quantile(sorted, 0.50), quantile(sorted, 0.99), maxNanos);
  }

  private static long quantile(long[] sorted, double q) {
    return sorted.length == 0 ? 0 : sorted[(int) Math.ceil(q * sorted.length) - 1];
  }
}
