package io.cairn.spark.ui.model;

import io.cairn.Level;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one rank. Immutable.
 *
 * @param process that reported it last
 * @param outcomes numbers of outcomes by level, such as {@code STORE.sealed}
 * @param firstMillis of its first checkpoint, since 1970
 * @param newest the checkpoint that was captured last; null before the first one
 * @param seals by the name of a level, the newest checkpoint there
 * @param iterationSeconds smoothed; NaN while unknown
 * @param state of the rank now
 * @param stateMillis since when
 * @param progressMillis of the last news of an iteration; 0 before the first
 * @param waitingSinceMillis by the name of a level, since when the oldest checkpoint waits there
 */
public record RankView(
    String group,
    int rank,
    int size,
    String process,
    long captures,
    long blockedNanos,
    Map<String, Long> outcomes,
    long firstMillis,
    @Nullable SealView newest,
    Map<String, SealView> seals,
    double iterationSeconds,
    State state,
    long stateMillis,
    long progressMillis,
    Map<String, Long> waitingSinceMillis) {
  /** The outcome of an iteration that the cadence did not capture. */
  public static final String NOT_CAPTURED = "DEVICE.notdue";

  /** The state of a rank. */
  public enum State {
    /** Its process reports it. */
    RUNS,
    /** It has left its group in order, or its task or its job has ended. */
    LEFT,
    /** Spark has removed its process, and a job may begin it in another one. */
    PROCESS_GONE,
    /** Of a log of an earlier version, which does not say. */
    UNKNOWN
  }

  /** Clips texts and copies the maps. */
  public RankView {
    group = Rows.text(group);
    process = Rows.text(process);
    outcomes = Rows.map(outcomes, 32);
    seals = Rows.map(seals, Level.values().length);
    state = state == null ? State.UNKNOWN : state;
    waitingSinceMillis = Rows.map(waitingSinceMillis, Level.values().length);
  }

  /** The rank. */
  public RankName name() {
    return new RankName(group, rank);
  }

  /** The number of outcomes of a kind at a level, such as "sealed". */
  public long count(Level level, String outcome) {
    return outcomes.getOrDefault(level + "." + outcome, 0L);
  }

  /** The newest checkpoint at this level or beyond, which its failures roll back to. */
  public Optional<SealView> rollback(Level level) {
    @Nullable SealView newestSeal = null;
    for (Level each : Level.values()) {
      @Nullable SealView seal = seals.get(each.name());
      if (each.compareTo(level) >= 0
          && seal != null
          && (newestSeal == null || seal.isAfter(newestSeal))) {
        newestSeal = seal;
      }
    }
    return Optional.ofNullable(newestSeal);
  }

  /** The time since that checkpoint, which a failure of this level would lose; in seconds. */
  public double riskSeconds(Level level) {
    if (newest == null) {
      return 0;
    }
    long from = rollback(level).map(SealView::capturedMillis).orElse(firstMillis);
    return Math.max(0, newest.capturedMillis() - from) / 1e3;
  }
}
