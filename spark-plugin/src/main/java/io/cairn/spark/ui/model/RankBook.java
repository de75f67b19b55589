package io.cairn.spark.ui.model;

import io.cairn.core.model.Level;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Adds up the figures of one rank. Used under the lock of its {@link Board}. */
final class RankBook {
  /** The weight of the newest iteration in their smoothed time. */
  private static final double NEWEST = 0.3;

  private final RankName name;
  private int size = 1;
  private String process = "";
  private long captures;
  private long blockedNanos;
  private final Map<String, Long> outcomes = new TreeMap<>();
  private long firstMillis;
  private @Nullable SealView newest;
  private final Map<String, SealView> seals = new LinkedHashMap<>();
  private double iterationSeconds = Double.NaN;

  /** Since when its group is known to be ahead of it; 0 if it is not. */
  private long behindMillis;

  RankBook(RankName name) {
    this.name = name;
  }

  void add(RankRow row, String from) {
    size = row.size();
    process = from;
    captures += row.captures();
    blockedNanos += row.blockedNanos();
    row.outcomes().forEach((outcome, more) -> outcomes.merge(outcome, more, Long::sum));
  }

  /** Takes a checkpoint as far as it is known by now. */
  void add(CheckpointRow row) {
    SealView at = new SealView(row.epoch(), row.iteration(), row.atMillis());
    firstMillis = firstMillis == 0 ? row.atMillis() : Math.min(firstMillis, row.atMillis());
    if (newest == null || at.isAfter(newest)) {
      pace(newest, at);
      newest = at;
      behindMillis = 0;
    }
    for (Level level : row.sealed()) {
      SealView known = seals.get(level.name());
      if (known == null || at.isAfter(known)) {
        seals.put(level.name(), at);
      }
    }
  }

  private void pace(@Nullable SealView before, SealView now) {
    if (before != null && before.epoch() == now.epoch()) {
      double seconds =
          (now.capturedMillis() - before.capturedMillis())
              / 1e3
              / (now.iteration() - before.iteration());
      iterationSeconds =
          Double.isNaN(iterationSeconds)
              ? seconds
              : NEWEST * seconds + (1 - NEWEST) * iterationSeconds;
    }
  }

  long captures() {
    return captures;
  }

  RankName name() {
    return name;
  }

  int size() {
    return size;
  }

  @Nullable SealView newest() {
    return newest;
  }

  long behindMillis() {
    return behindMillis;
  }

  /**
   * Compares it with its group.
   *
   * @param front the newest capture of the group
   * @param nowMillis the time of the newest round
   */
  void compare(SealView front, long nowMillis) {
    if (newest == null || !front.isAfter(newest)) {
      behindMillis = 0;
    } else if (behindMillis == 0) {
      behindMillis = nowMillis;
    }
  }

  RankView view() {
    return new RankView(
        name.group(),
        name.rank(),
        size,
        process,
        captures,
        blockedNanos,
        outcomes,
        firstMillis,
        newest,
        seals,
        iterationSeconds);
  }
}
