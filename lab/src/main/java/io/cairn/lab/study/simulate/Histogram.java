package io.cairn.lab.study.simulate;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The sizes of a trace in bins of equal width, to draw others like them from: a bin by its count,
 * then evenly within it. A drawn trace keeps the sizes' distribution and loses their order in time
 * and their likeness between ranks. Immutable.
 */
final class Histogram {
  private static final int BINS = 100;

  private final double least;
  private final double width;
  private final long[] countsUpTo = new long[BINS];

  /** The sizes of all snapshots and ranks. */
  Histogram(Trace trace) {
    least = trace.all().min().orElse(0);
    width = (trace.all().max().orElse(0) - least) / BINS;
    trace.all().forEach(bytes -> countsUpTo[bin((double) bytes)]++);
    Arrays.parallelPrefix(countsUpTo, Long::sum);
  }

  private int bin(double bytes) {
    return width == 0 ? 0 : (int) Math.min(BINS - 1, (bytes - least) / width);
  }

  /**
   * Draws a trace.
   *
   * @param seed the same draws the same
   */
  Trace draw(String name, int snapshots, int ranks, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long[][] bytes = new long[snapshots][ranks];
    for (long[] snapshot : bytes) {
      Arrays.setAll(snapshot, rank -> draw(random));
    }
    long[] numbers = new long[snapshots];
    Arrays.setAll(numbers, snapshot -> snapshot);
    return new Trace(name, numbers, bytes);
  }

  private long draw(SplittableRandom random) {
    long ticket = random.nextLong(countsUpTo[BINS - 1]);
    int bin = 0;
    while (countsUpTo[bin] <= ticket) {
      bin++;
    }
    return Math.round(least + width * (bin + random.nextDouble()));
  }
}
