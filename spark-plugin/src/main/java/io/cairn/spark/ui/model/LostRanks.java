package io.cairn.spark.ui.model;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Ranks without a process: their process is gone, and they run in no other one. Jobs bring a rank
 * back, so one is given up with the last of the jobs that ran when it was lost. Not thread-safe.
 *
 * @param <K> the name of a rank
 */
public final class LostRanks<K> {
  private final Set<Integer> jobs = new HashSet<>();

  /** Of each lost rank, the jobs that may bring it back. */
  private final Map<K, Set<Integer>> lost = new HashMap<>();

  /** No job runs, and no rank is lost. */
  public LostRanks() {}

  /** Spark has begun a job. */
  public void began(int job) {
    jobs.add(job);
  }

  /**
   * Spark has ended a job.
   *
   * @return the ranks that are given up
   */
  public Set<K> ended(int job) {
    jobs.remove(job);
    Set<K> givenUp = new HashSet<>();
    lost.forEach(
        (rank, bringers) -> {
          bringers.remove(job);
          if (bringers.isEmpty()) {
            givenUp.add(rank);
          }
        });
    lost.keySet().removeAll(givenUp);
    return givenUp;
  }

  /**
   * The process of these ranks is gone.
   *
   * @return those that are given up at once, since no job runs
   */
  public Set<K> lost(Collection<K> ranks) {
    if (jobs.isEmpty()) {
      return Set.copyOf(ranks);
    }
    ranks.forEach(rank -> lost.put(rank, new HashSet<>(jobs)));
    return Set.of();
  }

  /** These ranks run in a process. */
  public void found(Collection<K> ranks) {
    ranks.forEach(lost::remove);
  }

  /** How many ranks are lost. */
  public int size() {
    return lost.size();
  }
}
