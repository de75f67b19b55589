package io.cairn.lab.bench.failover;

import java.util.Locale;

/**
 * One Spark application whose executors are killed.
 *
 * @param ranks each in an executor, a group of one
 * @param standbys tasks that wait, each in an executor
 * @param idle executors without a task
 * @param stepMillis of an iteration
 */
record FailoverPlan(int ranks, int standbys, int idle, int stepMillis) {
  FailoverPlan {
    if (ranks < 1 || standbys < 0 || idle < 0 || stepMillis < 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d ranks, %d standbys, iterations of %d ms: at least 1, 0 and 1",
              ranks,
              standbys,
              stepMillis));
    }
  }

  int executors() {
    return ranks + standbys + idle;
  }
}
