package io.cairn.lab.study.failure;

import java.util.ArrayList;
import java.util.List;

/**
 * Sums over runs. Times are summed as what they exceed the work by, which is of the order of their
 * spread, so that the squares lose no digits. Not thread-safe.
 */
final class Tally {
  final long[] rollbacks;
  long events;
  long skippedFlushes;
  private long runs;
  private double excessSeconds;
  private double squaredExcess;

  Tally(int levels) {
    rollbacks = new long[levels];
  }

  void addRun(double excess) {
    runs++;
    excessSeconds += excess;
    squaredExcess += excess * excess;
  }

  /** Adds another's sums; their order decides the last bits. */
  void add(Tally other) {
    for (int level = 0; level < rollbacks.length; level++) {
      rollbacks[level] += other.rollbacks[level];
    }
    events += other.events;
    skippedFlushes += other.skippedFlushes;
    runs += other.runs;
    excessSeconds += other.excessSeconds;
    squaredExcess += other.squaredExcess;
  }

  SimulationResult result(double workSeconds) {
    double mean = excessSeconds / runs;
    double variance = Math.max(0, (squaredExcess - runs * mean * mean) / (runs - 1));
    double standardError = runs == 1 ? Double.NaN : Math.sqrt(variance / runs);
    List<Long> perLevel = new ArrayList<>();
    for (long count : rollbacks) {
      perLevel.add(count);
    }
    return new SimulationResult(
        runs, workSeconds, workSeconds + mean, standardError, perLevel, skippedFlushes, events);
  }
}
