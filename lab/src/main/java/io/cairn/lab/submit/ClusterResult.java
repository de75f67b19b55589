package io.cairn.lab.submit;

import io.cairn.lab.toy.ToyEvent;
import java.util.List;

/**
 * The result of one training.
 *
 * @param name of the cluster and its mode
 * @param blows processes that got SIGKILL, in their order
 * @param starts each attempt of each rank
 * @param identical whether all digests are those of an undisturbed training
 * @param seconds from the submission to the result
 */
record ClusterResult(
    String name, List<String> blows, List<ToyEvent> starts, boolean identical, double seconds) {
  ClusterResult {
    blows = List.copyOf(blows);
    starts = List.copyOf(starts);
  }

  /** Whether every rank resumed after each blow, and the end is right. */
  boolean passed() {
    long attempts = starts.stream().filter(start -> start.rank() == 0).count();
    boolean resumed =
        starts.stream()
            .filter(start -> start.epoch() > starts.get(0).epoch())
            .allMatch(start -> start.iteration() > 0);
    return identical && resumed && attempts > blows.size();
  }
}
