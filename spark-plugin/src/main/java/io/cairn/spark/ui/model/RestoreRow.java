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
    List<String> attempts) {
  private static final int MOST_ATTEMPTS = 8;

  /** Clips texts and keeps the first attempts. */
  public RestoreRow {
    process = Rows.text(process);
    group = Rows.text(group);
    level = Rows.text(level);
    source = Rows.text(source);
    attempts = Rows.list(attempts, MOST_ATTEMPTS).stream().map(Rows::text).toList();
  }

  /** The rank. */
  public RankName name() {
    return new RankName(group, rank);
  }
}
