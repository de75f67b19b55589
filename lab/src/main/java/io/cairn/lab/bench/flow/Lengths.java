package io.cairn.lab.bench.flow;

/**
 * How long JMH warms up and measures.
 *
 * @param warmUps iterations
 * @param warmUpMillis of each
 * @param iterations that are measured
 * @param iterationMillis of each; at least one call is made
 */
public record Lengths(int warmUps, int warmUpMillis, int iterations, int iterationMillis) {
  /** For what takes microseconds to tenths of a second. */
  public static final Lengths FULL = new Lengths(5, 700, 5, 500);

  /** For rivals that one can call several times in a second. */
  static final Lengths RIVAL = new Lengths(2, 1000, 3, 1000);

  /** For rivals that take longer. */
  static final Lengths SLOW_RIVAL = new Lengths(1, 1, 2, 1);

  /** To see that all runs; its figures are not to be relied on. */
  public static final Lengths QUICK = new Lengths(1, 100, 2, 100);
}
