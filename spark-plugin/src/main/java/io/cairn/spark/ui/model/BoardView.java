package io.cairn.spark.ui.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the page shows. Immutable, and kept as JSON by the history server.
 *
 * @param atMillis the time of these figures, since 1970
 * @param ranks ordered by group and number
 * @param checkpoints the newest ones, in the order of their first reports
 * @param unlisted checkpoints that are counted, but not listed any more or at all
 * @param restores the newest ones, in order
 * @param alarms the open ones first, and the newest one first
 * @param plan the last one of the desk; null without one
 * @param measured the times of its remainders
 * @param restored how many restores there were, those that are not listed included
 * @param gone how many executors Spark has removed, those that are not listed included
 * @param nowMillis the time of the look, since 1970; of an application that has ended, that of the
 *     last figures
 */
public record BoardView(
    long atMillis,
    List<RankView> ranks,
    List<CheckpointRow> checkpoints,
    long unlisted,
    List<ProcessView> processes,
    List<RestoreRow> restores,
    List<AlarmRow> alarms,
    List<PatternRow> patterns,
    @Nullable PlanRow plan,
    List<MeasuredRow> measured,
    long restored,
    long gone,
    long nowMillis) {
  /** Copies the lists. */
  public BoardView {
    ranks = Rows.list(ranks, Board.MOST_RANKS);
    checkpoints = Rows.list(checkpoints, Board.MOST_CHECKPOINTS);
    processes = Rows.list(processes, Board.MOST_PROCESSES);
    restores = Rows.list(restores, Board.MOST_OTHERS);
    alarms = Rows.list(alarms, Board.MOST_OTHERS);
    patterns = Rows.list(patterns, Board.MOST_OTHERS);
    measured = Rows.list(measured, Board.MOST_OTHERS);
    nowMillis = Math.max(atMillis, nowMillis);
  }

  /** The time of all processes by cause, in nanoseconds. */
  public Map<String, Long> goodputNanos() {
    Map<String, Long> all = new LinkedHashMap<>();
    processes.forEach(
        process ->
            process.goodputNanos().forEach((cause, nanos) -> all.merge(cause, nanos, Long::sum)));
    return all;
  }

  /** The same, with at most so many checkpoints, the newest ones. */
  public BoardView withNewest(int most) {
    int size = checkpoints.size();
    List<CheckpointRow> newest = checkpoints.subList(Math.max(0, size - most), size);
    return new BoardView(
        atMillis,
        ranks,
        newest,
        unlisted + size - newest.size(),
        processes,
        restores,
        alarms,
        patterns,
        plan,
        measured,
        restored,
        gone,
        nowMillis);
  }

  /** Whether no process has reported anything. */
  public boolean isEmpty() {
    return ranks.isEmpty() && processes.isEmpty();
  }
}
