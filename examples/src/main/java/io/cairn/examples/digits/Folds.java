package io.cairn.examples.digits;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A split of samples into folds for cross-validation: each sample is in the test set of exactly one
 * fold, and folds differ in size by at most one. The seed alone decides the split. Immutable.
 */
public final class Folds {
  private final int[] shuffled;
  private final int count;

  /**
   * A split.
   *
   * @param samples at least as many as folds
   * @param count of folds, at least 2
   */
  public Folds(int samples, int count, long seed) {
    if (count < 2 || samples < count) {
      throw new IllegalArgumentException(count + " folds of " + samples + " samples");
    }
    this.count = count;
    this.shuffled = IntStream.range(0, samples).toArray();
    shuffle(shuffled, new SplittableRandom(seed));
  }

  /** The samples that test fold {@code fold}, from 0. */
  public int[] test(int fold) {
    return select(fold, true);
  }

  /** The samples that train it: all others. */
  public int[] training(int fold) {
    return select(fold, false);
  }

  private int[] select(int fold, boolean test) {
    if (fold < 0 || fold >= count) {
      throw new IllegalArgumentException("fold " + fold + " of " + count);
    }
    return IntStream.range(0, shuffled.length)
        .filter(k -> (k % count == fold) == test)
        .map(k -> shuffled[k])
        .toArray();
  }

  /** Fisher and Yates' shuffle, in place. */
  static void shuffle(int[] values, SplittableRandom random) {
    for (int k = values.length - 1; k > 0; k--) {
      int other = random.nextInt(k + 1);
      int value = values[k];
      values[k] = values[other];
      values[other] = value;
    }
  }
}
