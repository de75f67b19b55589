package io.cairn.lab.bench.flow;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Takes instances in turn, so that a mean over calls is a mean over instances. JMH knows only that
 * mean; {@link #slowestMicros} finds the instance that takes longest. One thread at a time.
 */
final class Rotation {
  private static final int MOST_ROUNDS = 101;
  private static final long ENOUGH_NANOS = 50_000_000;
  private static final Rotation NONE = new Rotation(0);

  /** The one that the benchmark of this JVM uses, for {@link SlowestInstance}. */
  private static volatile Rotation current = NONE;

  private static volatile IntConsumer currentSolve = index -> {};

  private final int count;
  private int next;

  Rotation(int count) {
    this.count = count;
  }

  /** Index of the instance whose turn it is. */
  int next() {
    int index = next;
    next = index + 1 == count ? 0 : index + 1;
    return index;
  }

  /** Says which instances the benchmark of this JVM takes, and what it does with one. */
  static Rotation begin(int count, IntConsumer solve) {
    Rotation rotation = new Rotation(count);
    current = rotation;
    currentSolve = solve;
    return rotation;
  }

  /** The longest of the instances' median times, in microseconds, of what was begun last. */
  static double slowestMicros() {
    return current.slowestMicros(currentSolve);
  }

  double slowestMicros(IntConsumer solve) {
    long[][] nanos = new long[count][MOST_ROUNDS];
    long start = System.nanoTime();
    int rounds = 0;
    while (rounds < MOST_ROUNDS && (rounds == 0 || System.nanoTime() - start < ENOUGH_NANOS)) {
      for (int index = 0; index < count; index++) {
        long before = System.nanoTime();
        solve.accept(index);
        nanos[index][rounds] = System.nanoTime() - before;
      }
      rounds++;
    }
    double slowest = 0;
    for (long[] samples : nanos) {
      Arrays.sort(samples, 0, rounds);
      slowest = Math.max(slowest, samples[rounds / 2] / 1e3);
    }
    return slowest;
  }
}
