package io.cairn.spark.ui.model;

import java.util.Map;

/**
 * The increase of a rank's figures since the round before.
 *
 * @param size of its group
 * @param captures that ended
 * @param blockedNanos for which they stopped the training
 * @param outcomes numbers of outcomes by level, such as {@code STORE.sealed}
 */
public record RankRow(
    String group,
    int rank,
    int size,
    long captures,
    long blockedNanos,
    Map<String, Long> outcomes) {
  /** Clips texts and copies the numbers. */
  public RankRow {
    group = Rows.text(group);
    outcomes = Rows.map(outcomes, 32);
  }

  /** The rank. */
  public RankName name() {
    return new RankName(group, rank);
  }
}
