package io.cairn.adjoint.history;

import java.util.Arrays;

/**
 * The order in which a program will read states, as far as it is known. A wrong one costs time, and
 * never correctness. Immutable.
 */
public final class ReadOrder {
  /** The highest step first: what a backward pass reads. */
  public static final ReadOrder REVERSE = new ReadOrder(new long[0], true);

  private final long[] steps;
  private final boolean reverse;

  private ReadOrder(long[] steps, boolean reverse) {
    this.steps = steps;
    this.reverse = reverse;
  }

  /**
   * Reads one by one; a step may be read several times.
   *
   * @throws IllegalArgumentException if a step is negative
   */
  public static ReadOrder of(long... steps) {
    for (long step : steps) {
      History.requireStep(step);
    }
    return new ReadOrder(steps.clone(), false);
  }

  Reads reads() {
    return reverse ? new Reads.Reverse() : new Reads.Listed(steps);
  }

  @Override
  public String toString() {
    return reverse ? "reverse" : Arrays.toString(steps);
  }
}
