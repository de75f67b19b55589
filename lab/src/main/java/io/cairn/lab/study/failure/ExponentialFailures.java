package io.cairn.lab.study.failure;

import java.util.List;

/**
 * Independent Poisson processes, one per level: what the published models assume.
 *
 * @param ratesPerSecond failures per second of levels 1, 2, …; a rate of 0 means never
 */
public record ExponentialFailures(List<Double> ratesPerSecond) implements FailureSource {
  /**
   * Checks the rates.
   *
   * @throws IllegalArgumentException if there is none, or one is negative, NaN or infinite
   */
  public ExponentialFailures {
    ratesPerSecond = List.copyOf(ratesPerSecond);
    Require.notEmpty("the list of failure rates", ratesPerSecond.size());
    for (int level = 1; level <= ratesPerSecond.size(); level++) {
      Require.notNegative("failures per second of level " + level, ratesPerSecond.get(level - 1));
    }
  }

  @Override
  public int levels() {
    return ratesPerSecond.size();
  }

  /** Failures per second of all levels together. */
  double totalPerSecond() {
    double sum = 0;
    for (double rate : ratesPerSecond) {
      sum += rate;
    }
    return sum;
  }
}
