package io.cairn.training;

/**
 * The answer of a {@link TroubleGuard} to trouble that comes back from every checkpoint that it
 * tried. All but {@link End} change the training, so it does not end as the undisturbed one.
 * Immutable.
 */
public sealed interface LastResort {
  /** Ends the training by a {@link TroubleException}. */
  record End() implements LastResort {}

  /**
   * Leaves out minibatches from the first troubled one on, at most to the end of the epoch.
   *
   * @param count at the first try; each further try leaves out as many more
   */
  record SkipMinibatches(int count) implements LastResort {
    /** Checks the bound. */
    public SkipMinibatches {
      if (count < 1) {
        throw new IllegalArgumentException("count is " + count + ", must be at least 1");
      }
    }
  }

  /**
   * Multiplies every learning rate, from the restored checkpoint on. A training whose rates follow
   * a schedule is refused.
   *
   * @param factor between 0 and 1, at the first try; each further try multiplies by it once more
   */
  record SmallerRate(double factor) implements LastResort {
    /** Checks the bounds. */
    public SmallerRate {
      if (!(factor > 0 && factor < 1)) {
        throw new IllegalArgumentException("factor is " + factor + ", must be between 0 and 1");
      }
    }
  }
}
