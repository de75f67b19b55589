package io.cairn.spark.ui.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The news of one process since its last round. A process sends one per second at most, with at
 * most {@link #MOST_PER_RANK} checkpoints per rank. Immutable.
 *
 * @param process the executor's id, or "driver"
 * @param atMillis since 1970
 * @param ranks the increase of each rank's figures
 * @param checkpoints of these, some; among them the newest of each rank at each level
 * @param cache null without one, or if nothing changed
 * @param goodputNanos the process's time by cause since its start; empty if nothing changed
 * @param running every rank that runs there now; null if nothing changed
 */
public record Round(
    String process,
    long atMillis,
    List<RankRow> ranks,
    List<CheckpointRow> checkpoints,
    List<RestoreRow> restores,
    List<AlarmRow> alarms,
    @Nullable CacheRow cache,
    Map<String, Long> goodputNanos,
    List<PatternRow> patterns,
    List<PlanRow> plans,
    List<MeasuredRow> measured,
    @Nullable List<RunningRow> running) {
  /** Checkpoints of one rank that a round lists. */
  public static final int MOST_PER_RANK = 8;

  /** Ranks that a round lists, and restores. */
  public static final int MOST_RANKS = 256;

  /** Alarms and patterns that a round lists. */
  public static final int MOST_OTHERS = 64;

  /** Clips texts and lists. */
  public Round {
    process = Rows.text(process);
    ranks = Rows.list(ranks, MOST_RANKS);
    checkpoints = Rows.list(checkpoints, MOST_RANKS * MOST_PER_RANK);
    restores = Rows.list(restores, MOST_RANKS);
    alarms = Rows.list(alarms, MOST_OTHERS);
    goodputNanos = Rows.map(goodputNanos, 32);
    patterns = Rows.list(patterns, MOST_OTHERS);
    plans = Rows.list(plans, 1);
    measured = Rows.list(measured, MOST_OTHERS);
    running = running == null ? null : Rows.list(running, MOST_RANKS);
  }
}
