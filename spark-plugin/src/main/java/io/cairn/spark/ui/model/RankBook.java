package io.cairn.spark.ui.model;

import io.cairn.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Adds up the figures of one rank. Used under the lock of its {@link Board}. */
final class RankBook {
  /** The weight of the newest iteration in their smoothed time. */
  private static final double NEWEST = 0.3;

  /** Restores that it remembers; news of a checkpoint comes no later than a few of them. */
  private static final int MOST_RESTORES = 16;

  private final RankName name;
  private int size = 1;
  private String process = "";
  private long captures;
  private long blockedNanos;
  private final Map<String, Long> outcomes = new TreeMap<>();
  private long firstMillis;
  private @Nullable SealView newest;
  private final Map<String, SealView> seals = new LinkedHashMap<>();
  private final Deque<RestoreRow> restores = new ArrayDeque<>();
  private double iterationSeconds = Double.NaN;

  private RankView.State state = RankView.State.UNKNOWN;
  private long stateMillis;
  private long iteration = -1;
  private long progressMillis;
  private Map<String, Long> waitingSinceMillis = Map.of();

  /** Since when its group is known to be ahead of it; 0 if it is not. */
  private long behindMillis;

  RankBook(RankName name) {
    this.name = name;
  }

  /**
   * Adds counts. They may be late, so they move no rank that runs, and none to a process that is
   * gone. A rank whose process is gone has run in another one meanwhile.
   *
   * @param gone whether that process is gone
   */
  void add(RankRow row, String from, boolean gone, long nowMillis) {
    size = row.size();
    captures += row.captures();
    blockedNanos += row.blockedNanos();
    row.outcomes().forEach((outcome, more) -> outcomes.merge(outcome, more, Long::sum));
    if (gone || state == RankView.State.RUNS) {
      return;
    }
    process = from;
    givenUp(nowMillis);
  }

  /** Takes a checkpoint as far as it is known by now. */
  void add(CheckpointRow row) {
    SealView at = new SealView(row.epoch(), row.iteration(), row.atMillis());
    firstMillis = firstMillis == 0 ? row.atMillis() : Math.min(firstMillis, row.atMillis());
    if (!isLeftBehind(at)) {
      if (newest == null || at.isAfter(newest)) {
        pace(newest, at);
        behindMillis = 0;
      }
      keep(at, row);
    }
  }

  /** Takes a checkpoint again that may have been hidden by one that the rank left behind. */
  void addAgain(CheckpointRow row) {
    SealView at = new SealView(row.epoch(), row.iteration(), row.atMillis());
    if (!isLeftBehind(at)) {
      keep(at, row);
    }
  }

  /** Its process reports that it runs there. */
  void runs(RunningRow row, String from, long nowMillis) {
    if (state != RankView.State.RUNS || !process.equals(from)) {
      state = RankView.State.RUNS;
      stateMillis = nowMillis;
      progressMillis = nowMillis;
    }
    process = from;
    if (iteration != row.iteration()) {
      iteration = row.iteration();
      progressMillis = nowMillis;
    }
    waitingSinceMillis = row.waitingSinceMillis();
  }

  /** It runs in that process no more, which lives. */
  void left(String from, long nowMillis) {
    if (runsIn(from)) {
      ends(RankView.State.LEFT, nowMillis);
    }
  }

  /** That process is gone; whether the rank is without one now. */
  boolean isWithout(String from, long nowMillis) {
    boolean ran = runsIn(from);
    if (ran) {
      ends(RankView.State.PROCESS_GONE, nowMillis);
    }
    return ran;
  }

  /** If it is without a process, nothing brings it back. */
  void givenUp(long nowMillis) {
    if (state == RankView.State.PROCESS_GONE) {
      ends(RankView.State.LEFT, nowMillis);
    }
  }

  private boolean runsIn(String from) {
    return state == RankView.State.RUNS && process.equals(from);
  }

  private void ends(RankView.State how, long nowMillis) {
    state = how;
    stateMillis = nowMillis;
    waitingSinceMillis = Map.of();
  }

  /**
   * A restore with the work that it loses, before it is added.
   *
   * @param round the checkpoints of its round, of which some may be older than the restore
   * @param known the process in which the rank ran before
   */
  RestoreRow losing(RestoreRow row, List<CheckpointRow> round, ProcessView known) {
    SealView to = new SealView(row.epoch(), row.iteration(), row.atMillis());
    Map<String, SealView> sealed = new LinkedHashMap<>(seals);
    SealView last = newest;
    for (CheckpointRow each : round) {
      SealView at = new SealView(each.epoch(), each.iteration(), each.atMillis());
      if (each.name().equals(name) && each.atMillis() < row.atMillis() && !isLeftBehind(at)) {
        last = last == null || at.isAfter(last) ? at : last;
        each.sealed()
            .forEach(
                level ->
                    sealed.merge(level.name(), at, (one, two) -> two.isAfter(one) ? two : one));
      }
    }
    if (last == null || !last.isAfter(to) || last.iteration() <= to.iteration()) {
      return row;
    }
    long again = last.iteration() - to.iteration();
    return row.losing(again, seconds(again), newer(to, sealed, known));
  }

  private double seconds(long iterations) {
    return iterationSeconds * iterations;
  }

  /** The newest copy that some level held, at the farthest one; DEVICE ends with its process. */
  private String newer(SealView to, Map<String, SealView> sealed, ProcessView known) {
    String found = "";
    SealView best = to;
    for (Level level : Level.values()) {
      SealView seal = sealed.get(level.name());
      boolean there = level != Level.DEVICE || !known.isGone();
      if (there && seal != null && seal.isAfter(to) && !best.isAfter(seal)) {
        best = seal;
        found = "e" + seal.epoch() + "-i" + seal.iteration() + " at " + level;
      }
    }
    if (found.isEmpty() || process.isEmpty()) {
      return found;
    }
    return found
        + " of executor "
        + process
        + (known.host().isEmpty() ? "" : " on " + known.host())
        + (known.isGone() ? ", which is gone" : "");
  }

  private void keep(SealView at, CheckpointRow row) {
    if (newest == null || at.isAfter(newest)) {
      newest = at;
    }
    for (Level level : row.sealed()) {
      SealView known = seals.get(level.name());
      if (known == null || at.isAfter(known)) {
        seals.put(level.name(), at);
      }
    }
  }

  /**
   * The rank was restored: checkpoints after the restored one count no more. The caller adds the
   * others again.
   */
  void add(RestoreRow row) {
    restores.addLast(row);
    if (restores.size() > MOST_RESTORES) {
      restores.removeFirst();
    }
    seals.values().removeIf(this::isLeftBehind);
    if (newest != null && isLeftBehind(newest)) {
      newest = null;
    }
  }

  private boolean isLeftBehind(SealView at) {
    return restores.stream().anyMatch(restore -> isLeftBehind(at, restore));
  }

  /**
   * Whether a restore left a checkpoint behind: one that is newer than the restored one. A restore
   * begins a later epoch, whose number is not known here, but all of it comes after the restore.
   */
  private static boolean isLeftBehind(SealView at, RestoreRow restore) {
    boolean newer =
        at.isAfter(new SealView(restore.epoch(), restore.iteration(), restore.atMillis()));
    return newer && (at.epoch() == restore.epoch() || at.capturedMillis() < restore.atMillis());
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

  String process() {
    return process;
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
        iterationSeconds,
        state,
        stateMillis,
        Math.max(progressMillis, newest == null ? 0 : newest.capturedMillis()),
        waitingSinceMillis);
  }
}
