package io.cairn.spark.ui.collect;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.spark.ui.model.CheckpointRow;
import io.cairn.spark.ui.model.RankRow;
import io.cairn.spark.ui.model.RankView;
import io.cairn.spark.ui.model.Round;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The news of one rank since the last round. Used under the lock of its collector. */
final class RankNews {
  /** Checkpoints that wait for a round; the oldest one is only counted then. */
  private static final int MOST_WAITING = 1_000;

  private final Member member;
  private final Map<String, Long> outcomes = new TreeMap<>();
  private final Map<CheckpointId, CheckpointRow> checkpoints = new LinkedHashMap<>();

  /** When checkpoints were captured that are not settled at every level. */
  private final Map<CheckpointId, Long> captured;

  private long captures;
  private long blockedNanos;

  /**
   * @param captured outlives the news
   */
  RankNews(Member member, Map<CheckpointId, Long> captured) {
    this.member = member;
    this.captured = captured;
  }

  /** Times of the newest captures, of which most are settled by the time the oldest is dropped. */
  static Map<CheckpointId, Long> times() {
    return new LinkedHashMap<>() {
      @Override
      protected boolean removeEldestEntry(Map.Entry<CheckpointId, Long> eldest) {
        return size() > MOST_WAITING;
      }
    };
  }

  void captured(CheckpointId id, long bytes, long nanos, long nowMillis) {
    captures++;
    blockedNanos += nanos;
    captured.putIfAbsent(id, nowMillis);
    add(id, bytes, nanos, Map.of(), nowMillis);
  }

  void settled(CheckpointId id, Level level, Outcome outcome, long nowMillis) {
    if (level == Level.DEVICE && outcome instanceof Outcome.NotDue) {
      outcomes.merge(RankView.NOT_CAPTURED, 1L, Long::sum);
    }
    word(outcome)
        .ifPresent(
            word -> {
              outcomes.merge(level + "." + kind(outcome), 1L, Long::sum);
              add(id, 0, 0, Map.of(level.name(), word), nowMillis);
            });
  }

  private static String kind(Outcome outcome) {
    return outcome.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /** The outcome as a row has it; empty if the level was not to take the checkpoint. */
  private static Optional<String> word(Outcome outcome) {
    if (outcome instanceof Outcome.Sealed) {
      return Optional.of(CheckpointRow.SEALED);
    } else if (outcome instanceof Outcome.Skipped skipped) {
      return Optional.of("skipped: " + skipped.reason());
    } else if (outcome instanceof Outcome.Fenced fenced) {
      return Optional.of("fenced: " + fenced.reason());
    } else if (outcome instanceof Outcome.Failed failed) {
      return Optional.of("failed: " + failed.reason());
    } else if (outcome instanceof Outcome.NotDue || outcome instanceof Outcome.Captured) {
      return Optional.empty();
    }
    throw new AssertionError("not reported: " + outcome);
  }

  private void add(
      CheckpointId id, long bytes, long nanos, Map<String, String> levels, long nowMillis) {
    CheckpointRow row =
        new CheckpointRow(
            id.group().group(),
            member.rank(),
            id.epoch(),
            id.iteration(),
            captured.getOrDefault(id, nowMillis),
            bytes,
            nanos,
            levels);
    checkpoints.merge(id, row, CheckpointRow::plus);
    if (checkpoints.size() > MOST_WAITING) {
      checkpoints.remove(checkpoints.keySet().iterator().next());
    }
  }

  RankRow row() {
    return new RankRow(
        member.group().group(), member.rank(), member.size(), captures, blockedNanos, outcomes);
  }

  /**
   * The checkpoints that the round lists, in order: the newest one, the newest one at each level,
   * then failed ones, and those that came farthest.
   */
  List<CheckpointRow> listed() {
    List<CheckpointRow> newestFirst = new ArrayList<>(checkpoints.values());
    newestFirst.sort(
        Comparator.comparingLong(CheckpointRow::epoch)
            .thenComparingLong(CheckpointRow::iteration)
            .reversed());
    Set<CheckpointRow> chosen = new LinkedHashSet<>();
    newestFirst.stream().limit(1).forEach(chosen::add);
    Map<Level, CheckpointRow> atLevel = new HashMap<>();
    newestFirst.forEach(row -> row.sealed().forEach(level -> atLevel.putIfAbsent(level, row)));
    chosen.addAll(atLevel.values());
    newestFirst.stream().filter(CheckpointRow::failed).forEach(chosen::add);
    newestFirst.stream()
        .sorted(Comparator.comparingInt(RankNews::reach).reversed())
        .forEach(chosen::add);
    return chosen.stream()
        .limit(Round.MOST_PER_RANK)
        .sorted(
            Comparator.comparingLong(CheckpointRow::epoch)
                .thenComparingLong(CheckpointRow::iteration))
        .toList();
  }

  private static int reach(CheckpointRow row) {
    return row.farthest().map(Level::ordinal).orElse(-1);
  }
}
