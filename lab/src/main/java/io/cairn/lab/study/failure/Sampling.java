package io.cairn.lab.study.failure;

/**
 * How much to simulate.
 *
 * @param runs independent runs, at least 1
 * @param patternsPerRun how many patterns each run completes, at least 1; one is enough where
 *     failures have no memory
 * @param seed of all randomness
 * @param threads that share the runs, at least 1; results do not depend on it
 */
public record Sampling(long runs, int patternsPerRun, long seed, int threads) {
  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is below 1
   */
  public Sampling {
    Require.atLeast(1, "runs", runs);
    Require.atLeast(1, "patternsPerRun", patternsPerRun);
    Require.atLeast(1, "threads", threads);
  }

  /** Runs of one pattern each, on all cores. */
  public static Sampling of(long runs, long seed) {
    return new Sampling(runs, 1, seed, Runtime.getRuntime().availableProcessors());
  }
}
