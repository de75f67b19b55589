package io.cairn.spark.ui.model;

import io.cairn.Level;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A checkpoint of one rank, as far as it is known. Immutable.
 *
 * @param atMillis of the capture or of the first report, since 1970
 * @param bytes of all regions; 0 while unknown
 * @param blockedNanos for which the capture stopped the training
 * @param levels by the name of a level, the outcome there: {@link #SEALED}, or a word such as
 *     "skipped" with a colon and the reason
 */
public record CheckpointRow(
    String group,
    int rank,
    long epoch,
    long iteration,
    long atMillis,
    long bytes,
    long blockedNanos,
    Map<String, String> levels) {
  /** The outcome of a level that holds the checkpoint. */
  public static final String SEALED = "sealed";

  /** Characters of an outcome; its alarm has the whole reason. */
  private static final int LONGEST_OUTCOME = 80;

  /** Clips texts and copies the outcomes. */
  public CheckpointRow {
    group = Rows.text(group);
    Map<String, String> clipped = new LinkedHashMap<>();
    Rows.map(levels, Level.values().length)
        .forEach((level, outcome) -> clipped.put(level, Rows.text(outcome, LONGEST_OUTCOME)));
    levels = Collections.unmodifiableMap(clipped);
  }

  /** The rank. */
  public RankName name() {
    return new RankName(group, rank);
  }

  /** Identifies the checkpoint among those of all ranks. */
  public record Key(RankName rank, long epoch, long iteration) {}

  /** The key of this checkpoint. */
  public Key key() {
    return new Key(name(), epoch, iteration);
  }

  /** Both reports of one checkpoint; outcomes of the later one replace those of this one. */
  public CheckpointRow plus(CheckpointRow later) {
    Map<String, String> both = new LinkedHashMap<>(levels);
    both.putAll(later.levels);
    return new CheckpointRow(
        group,
        rank,
        epoch,
        iteration,
        Math.min(atMillis, later.atMillis),
        Math.max(bytes, later.bytes),
        Math.max(blockedNanos, later.blockedNanos),
        both);
  }

  /** The levels that hold it. */
  public Set<Level> sealed() {
    Set<Level> sealed = EnumSet.noneOf(Level.class);
    for (Level level : Level.values()) {
      if (SEALED.equals(levels.get(level.name()))) {
        sealed.add(level);
      }
    }
    return sealed;
  }

  /** The farthest level that holds it; empty if none does. */
  public Optional<Level> farthest() {
    return sealed().stream().reduce((nearer, farther) -> farther);
  }

  /** Whether a level failed to take it. */
  public boolean failed() {
    return levels.values().stream().anyMatch(outcome -> outcome.startsWith("failed"));
  }
}
