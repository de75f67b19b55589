package io.cairn.spark.metrics;

import io.cairn.Level;
import io.cairn.core.goodput.Cause;
import io.cairn.core.goodput.CauseTimes;
import io.cairn.core.threads.DaemonThreads;
import io.cairn.engine.events.Counters;
import io.cairn.engine.events.GoodputBook;
import io.cairn.engine.runtime.RunningRank;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The counters of one process since its start, as it sends them to the driver. Immutable.
 *
 * @param process the executor's id, or "driver"
 * @param values of {@link KnownMetrics#SUMS}, in their order
 * @param now of {@link KnownMetrics#NOW}, in their order
 * @param running names of the ranks that run there, the first ones
 */
public record ProcessTotals(
    String process, List<Long> values, List<Long> now, List<String> running) {
  /** Ranks that are named; a process has few. */
  private static final int MOST_NAMED = 128;

  private static final int LONGEST_NAME = 200;

  /** Copies, clips and checks the lists. */
  public ProcessTotals {
    process = clipped(process);
    values = List.copyOf(values);
    now = List.copyOf(now);
    running = running.stream().limit(MOST_NAMED).map(ProcessTotals::clipped).toList();
    if (values.size() != KnownMetrics.SUMS.size() || now.size() != KnownMetrics.NOW.size()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d totals of process %s, expected are %d; driver and executors need the same"
                  + " version",
              values.size() + now.size(),
              process,
              KnownMetrics.SUMS.size() + KnownMetrics.NOW.size()));
    }
  }

  private static String clipped(String name) {
    return name.substring(0, Math.min(name.length(), LONGEST_NAME));
  }

  /** The totals of this process now. */
  public static ProcessTotals of(
      String process, Counters counters, GoodputBook goodput, List<RunningRank> running) {
    Map<String, Long> counted = new HashMap<>(counters.snapshot());
    counted.put(KnownMetrics.FAILURES.name(), DaemonThreads.failures());
    CauseTimes times = goodput.times();
    List<Long> values = new ArrayList<>();
    KnownMetrics.COUNTED.forEach(metric -> values.add(counted.getOrDefault(metric.name(), 0L)));
    for (Cause cause : Cause.values()) {
      values.add(times.of(cause));
    }
    return new ProcessTotals(
        process,
        values,
        KnownMetrics.NOW.stream().map(metric -> now(metric.name(), running)).toList(),
        running.stream()
            .map(rank -> rank.member().group() + " rank " + rank.member().rank())
            .toList());
  }

  /** The present value of a metric of {@link KnownMetrics#NOW}. */
  static long now(String metric, List<RunningRank> running) {
    for (Level level : Level.values()) {
      if (metric.equals(KnownMetrics.waitingName(level))) {
        return running.stream()
            .mapToLong(rank -> rank.waitingNanos().getOrDefault(level, 0L))
            .max()
            .orElse(0);
      }
    }
    return running.size();
  }

  /** The totals of a process in which no rank has run: its failures, and zeros. */
  public static ProcessTotals withoutRanks(String process) {
    return new ProcessTotals(
        process,
        KnownMetrics.SUMS.stream()
            .map(metric -> metric.equals(KnownMetrics.FAILURES) ? DaemonThreads.failures() : 0L)
            .toList(),
        Collections.nCopies(KnownMetrics.NOW.size(), 0L),
        List.of());
  }
}
