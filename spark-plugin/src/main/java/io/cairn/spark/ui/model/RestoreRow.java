package io.cairn.spark.ui.model;

import java.util.List;

/**
 * A rank that was restored.
 *
 * @param process in which the rank resumed
 * @param iteration that it resumed from
 * @param level the farthest level that a chunk was read from
 * @param source the location of that copy
 * @param attempts every copy that was tried, in order, for people
 * @param lostIterations that are done again, as far as the page knew newer ones
 * @param lostSeconds of training that they had taken
 * @param newer the newest copy that was not restored and its place, for people; empty without one
 */
public record RestoreRow(
    long atMillis,
    String process,
    String group,
    int rank,
    long epoch,
    long iteration,
    String level,
    String source,
    long bytes,
    List<String> attempts,
    long lostIterations,
    double lostSeconds,
    String newer) {
  private static final int MOST_ATTEMPTS = 8;

  /** Clips texts and keeps the first attempts. */
  public RestoreRow {
    process = Rows.text(process);
    group = Rows.text(group);
    level = Rows.text(level);
    source = Rows.text(source);
    attempts = Rows.list(attempts, MOST_ATTEMPTS).stream().map(Rows::text).toList();
    newer = Rows.text(newer);
  }

  /** The same with the work that it lost; a newer copy that the restore itself named stays. */
  RestoreRow losing(long iterations, double seconds, String copy) {
    return new RestoreRow(
        atMillis,
        process,
        group,
        rank,
        epoch,
        iteration,
        level,
        source,
        bytes,
        attempts,
        iterations,
        seconds,
        newer.isEmpty() ? copy : newer);
  }

  /** The rank. */
  public RankName name() {
    return new RankName(group, rank);
  }
}
