package io.cairn.spark.ui.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Finds ranks that are far behind the others of their group, or far slower than all others. */
final class Stragglers {
  /** So long a capture, and twice so long the news of it, may take. */
  private static final long LATE_MILLIS = 10_000;

  private static final double SLOW = 2;

  /** Of fewer ranks none is slow: each may be the usual one. */
  private static final int FEWEST = 3;

  private Stragglers() {}

  /**
   * An alarm per such rank that has not left; linear but for a sort.
   *
   * @param behindMillis how long the board has known that a rank's group is ahead of it
   */
  static List<AlarmRow> of(List<RankView> known, Map<RankName, Long> behindMillis) {
    List<RankView> ranks =
        known.stream().filter(rank -> rank.state() != RankView.State.LEFT).toList();
    List<AlarmRow> found = new ArrayList<>();
    Map<String, List<RankView>> groups = new LinkedHashMap<>();
    ranks.stream()
        .filter(rank -> rank.newest() != null && rank.size() > 1)
        .forEach(rank -> groups.computeIfAbsent(rank.group(), g -> new ArrayList<>()).add(rank));
    groups.values().forEach(group -> late(group, behindMillis, found));
    slow(
        ranks.stream()
            .filter(rank -> rank.size() == 1 && !Double.isNaN(rank.iterationSeconds()))
            .toList(),
        found);
    return found;
  }

  /** A process reports every ten seconds, so news of a rank may be that much older. */
  private static void late(
      List<RankView> group, Map<RankName, Long> behindMillis, List<AlarmRow> found) {
    long newest = group.stream().mapToLong(Stragglers::millis).max().orElse(0);
    for (RankView rank : group) {
      long late = newest - millis(rank);
      if (late > LATE_MILLIS && behindMillis.getOrDefault(rank.name(), 0L) > 2 * LATE_MILLIS) {
        found.add(
            alarm(
                rank,
                newest,
                String.format(
                    Locale.ROOT, "its group waits: its last capture is %.0f s older", late / 1e3)));
      }
    }
  }

  private static void slow(List<RankView> ranks, List<AlarmRow> found) {
    if (ranks.size() < FEWEST) {
      return;
    }
    List<RankView> sorted =
        ranks.stream().sorted(Comparator.comparingDouble(RankView::iterationSeconds)).toList();
    double median = sorted.get(sorted.size() / 2).iterationSeconds();
    for (RankView rank : ranks) {
      if (rank.iterationSeconds() > SLOW * median) {
        found.add(
            alarm(
                rank,
                millis(rank),
                String.format(
                    Locale.ROOT,
                    "an iteration takes %.2f s, the median of all ranks is %.2f s",
                    rank.iterationSeconds(),
                    median)));
      }
    }
  }

  private static long millis(RankView rank) {
    return Objects.requireNonNull(rank.newest()).capturedMillis();
  }

  private static AlarmRow alarm(RankView rank, long atMillis, String text) {
    return new AlarmRow(
        "straggler", rank.group() + " rank " + rank.rank(), 1, atMillis, atMillis, text, 0);
  }
}
