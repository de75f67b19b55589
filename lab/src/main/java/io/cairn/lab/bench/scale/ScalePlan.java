package io.cairn.lab.bench.scale;

/**
 * The load of a driver.
 *
 * @param ranks of one coupled group
 * @param ranksPerExecutor that share one connection
 * @param perSecond iterations that every rank captures per second
 * @param seconds of training
 */
record ScalePlan(int ranks, int ranksPerExecutor, int perSecond, int seconds) {
  /** Checks that all are positive. */
  ScalePlan {
    if (ranks < 1 || ranksPerExecutor < 1 || perSecond < 1 || seconds < 1) {
      throw new IllegalArgumentException(
          "ranks, ranks per executor, rate and seconds are at least 1");
    }
  }

  int executors() {
    return (ranks + ranksPerExecutor - 1) / ranksPerExecutor;
  }

  int iterations() {
    return perSecond * seconds;
  }
}
