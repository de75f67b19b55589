package io.cairn.lab.toy;

import java.util.Arrays;

/**
 * The state of one rank's training: every iteration depends on all before it, so the digest of its
 * end shows whether one was lost or repeated. Not thread-safe.
 */
public final class ToyState {
  private static final int LENGTH = 50_000;

  private final int rank;
  private final long[] numbers = new long[LENGTH];

  /** The state before iteration 0. */
  public ToyState(int rank) {
    this.rank = rank;
  }

  /** The memory to protect. */
  long[] numbers() {
    return numbers;
  }

  /** One iteration. */
  void step(long iteration) {
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = numbers[i] * 6364136223846793005L + iteration + rank + i;
    }
  }

  /** A digest of the present state. */
  String digest() {
    return Integer.toHexString(Arrays.hashCode(numbers));
  }

  /** The digest of a training that nothing disturbed; O(iterations). */
  public static String undisturbed(int rank, long iterations) {
    ToyState state = new ToyState(rank);
    for (long i = 0; i < iterations; i++) {
      state.step(i);
    }
    return state.digest();
  }
}
