package io.cairn.spark.ui.model;

import io.cairn.Level;
import java.util.Map;

/**
 * A rank that runs in the process that reports it.
 *
 * @param iteration the last that it reported since it joined or was restored; -1 before the first
 * @param waitingSinceMillis by the name of a level, since when the oldest checkpoint waits that is
 *     due there; a level at which none waits is absent
 */
public record RunningRow(
    String group, int rank, long iteration, Map<String, Long> waitingSinceMillis) {
  /** A shorter difference comes from the clocks. */
  private static final long JITTER_MILLIS = 2_000;

  /** Clips the name and copies the map. */
  public RunningRow {
    group = Rows.text(group);
    waitingSinceMillis = Rows.map(waitingSinceMillis, Level.values().length);
  }

  /** The rank. */
  public RankName name() {
    return new RankName(group, rank);
  }

  /** Whether this says the same as the other, but for the clocks. */
  public boolean saysAsMuchAs(RunningRow other) {
    return name().equals(other.name())
        && iteration == other.iteration
        && waitingSinceMillis.keySet().equals(other.waitingSinceMillis.keySet())
        && waitingSinceMillis.entrySet().stream()
            .allMatch(
                each ->
                    Math.abs(
                            each.getValue()
                                - other.waitingSinceMillis.getOrDefault(each.getKey(), 0L))
                        < JITTER_MILLIS);
  }
}
