package io.cairn.adjoint.schedule;

/**
 * The closed form of binomial checkpointing (Griewank and Walther 2000). Each method takes
 * O(repetition) time.
 */
public final class Binomial {
  /** The largest number of steps. */
  public static final long MOST_STEPS = 1_000_000_000;

  private Binomial() {}

  /**
   * The fewest forward steps outside reversals.
   *
   * @param steps steps of the program, 1 to {@link #MOST_STEPS}
   * @param snapshots slots, at least 1; the initial state takes one
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static long advances(long steps, int snapshots) {
    check(steps, snapshots);
    if (snapshots == 1) {
      return steps * (steps - 1) / 2;
    }
    Reach reach = Reach.of(steps, snapshots);
    long tooMany = reach.before * (snapshots + reach.repetition) / (snapshots + 1L);
    return reach.repetition * steps - tooMany;
  }

  /**
   * How often a step runs at most outside reversals: the least r with C(snapshots + r, r) ≥ steps.
   *
   * @param steps steps of the program, 1 to {@link #MOST_STEPS}
   * @param snapshots slots, at least 1; the initial state takes one
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static long repetition(long steps, int snapshots) {
    check(steps, snapshots);
    return snapshots == 1 ? steps - 1 : Reach.of(steps, snapshots).repetition;
  }

  /**
   * The largest optimal number of steps between the first snapshot and the second.
   *
   * @param steps steps of the program, 2 to {@link #MOST_STEPS}
   * @param snapshots slots, at least 1; the initial state takes one
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static long firstPlace(long steps, int snapshots) {
    check(steps, snapshots);
    if (steps < 2) {
      throw new IllegalArgumentException("steps must be at least 2 for a second snapshot");
    }
    if (snapshots == 1) {
      return steps - 1;
    }
    Reach reach = Reach.of(steps, snapshots);
    long leastRight = reach.before * snapshots / (snapshots + reach.repetition - 1);
    return Math.min(reach.before, steps - leastRight);
  }

  static void check(long steps, int snapshots) {
    if (steps < 1 || steps > MOST_STEPS) {
      throw new IllegalArgumentException(
          "steps must be from 1 to " + MOST_STEPS + ", not " + steps);
    }
    if (snapshots < 1) {
      throw new IllegalArgumentException("snapshots must be at least 1, not " + snapshots);
    }
  }

  /**
   * The least repetition that reaches all steps.
   *
   * @param repetition how often a step runs at most
   * @param before steps that one repetition less reaches, 0 if there is none
   */
  private record Reach(long repetition, long before) {
    static Reach of(long steps, int snapshots) {
      long before = 0;
      long reached = 1;
      long repetition = 0;
      while (reached < steps) {
        repetition++;
        before = reached;
        reached = reached * (snapshots + repetition) / repetition;
      }
      return new Reach(repetition, before);
    }
  }
}
