package io.cairn.spark.ui.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects the rounds of an application's processes. Its memory is bounded: of everything, the
 * oldest entry makes room for the newest one. Thread-safe; a round takes time linear in its length
 * and in the sizes of its coupled groups, and one with restores also in the number of checkpoints.
 */
public final class Board {
  /** Checkpoints of all ranks together. */
  public static final int MOST_CHECKPOINTS = 10_000;

  static final int MOST_RANKS = 5_000;
  static final int MOST_PROCESSES = 1_000;

  /** Restores, and alarms, and patterns. */
  static final int MOST_OTHERS = 500;

  /** Executors have numbers. */
  private static final Comparator<ProcessView> BY_NUMBER =
      Comparator.<ProcessView>comparingInt(each -> each.process().length())
          .thenComparing(ProcessView::process);

  private final Map<CheckpointRow.Key, CheckpointRow> checkpoints = bounded(MOST_CHECKPOINTS);
  private final Map<RankName, RankBook> ranks = bounded(MOST_RANKS);

  /** The same books by group; the ranks of a group are compared with each other. */
  private final Map<String, Set<RankBook>> groups = new HashMap<>();

  private final Map<String, ProcessView> processes = new LinkedHashMap<>();
  private final Map<Integer, RestoreRow> restores = bounded(MOST_OTHERS);
  private final Incidents alarms = new Incidents();
  private final Map<String, PatternRow> patterns = bounded(MOST_OTHERS);
  private final Map<RankName, MeasuredRow> measured = bounded(MOST_OTHERS);

  /** The ranks that each process reported last as running there. */
  private final Map<String, Set<RankName>> runningIn = new HashMap<>();

  private final LostRanks<RankName> lost = new LostRanks<>();
  private @Nullable PlanRow plan;
  private int restored;
  private long goneProcesses;
  private long newestMillis;
  private long newestGoneMillis;

  /** A board to which nobody has reported. */
  public Board() {}

  /** A map that forgets what was entered first. */
  private static <K, V> Map<K, V> bounded(int most) {
    return new LinkedHashMap<>() {
      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
      }
    };
  }

  /** Takes a round. */
  public synchronized void add(Round round) {
    newestMillis = Math.max(newestMillis, round.atMillis());
    process(round);
    List<RestoreRow> losses = round.restores().stream().map(row -> losing(row, round)).toList();
    round.ranks().forEach(row -> counted(row, round));
    round.checkpoints().forEach(this::checkpoint);
    goBack(losses);
    round.ranks().stream()
        .filter(row -> row.size() > 1)
        .map(RankRow::group)
        .distinct()
        .forEach(this::compare);
    losses.forEach(row -> restores.put(restored++, row));
    round.alarms().forEach(alarms::add);
    round.checkpoints().forEach(row -> alarms.progress(row, round.atMillis()));
    running(round);
    round.patterns().forEach(row -> replace(patterns, row.group(), row));
    round.plans().forEach(this::planned);
    round.measured().forEach(row -> replace(measured, new RankName(row.group(), row.rank()), row));
  }

  private RestoreRow losing(RestoreRow row, Round round) {
    RankBook book = ranks.get(row.name());
    return book == null ? row : book.losing(row, round.checkpoints(), known(book.process()));
  }

  private void counted(RankRow row, Round round) {
    boolean gone = known(round.process()).isGone();
    rank(row.name()).add(row, round.process(), gone, round.atMillis());
    if (!gone) {
      lost.found(Set.of(row.name()));
    }
  }

  /** Which ranks run in a process, and which do so no more. */
  private void running(Round round) {
    List<RunningRow> running = round.running();
    if (running == null || known(round.process()).isGone()) {
      return; // late messages of an executor that Spark has given up tell nothing of now
    }
    Set<RankName> now = new HashSet<>();
    for (RunningRow row : running) {
      now.add(row.name());
      rank(row.name()).runs(row, round.process(), round.atMillis());
    }
    lost.found(now);
    Set<RankName> before = runningIn.getOrDefault(round.process(), Set.of());
    runningIn.put(round.process(), now);
    before.stream()
        .filter(name -> !now.contains(name))
        .forEach(
            name -> {
              RankBook book = ranks.get(name);
              if (book != null) {
                book.left(round.process(), round.atMillis());
              }
            });
  }

  private RankBook rank(RankName name) {
    RankBook known = ranks.get(name);
    if (known != null) {
      return known;
    }
    if (ranks.size() == MOST_RANKS) {
      RankBook oldest = ranks.values().iterator().next(); // makes room
      leaveGroup(oldest);
      lost.found(Set.of(oldest.name()));
    }
    RankBook book = new RankBook(name);
    ranks.put(name, book);
    groups.computeIfAbsent(name.group(), group -> new LinkedHashSet<>()).add(book);
    return book;
  }

  private void leaveGroup(RankBook forgotten) {
    String group = forgotten.name().group();
    Set<RankBook> books = groups.get(group);
    if (books != null && books.remove(forgotten) && books.isEmpty()) {
      groups.remove(group);
    }
  }

  private void checkpoint(CheckpointRow row) {
    CheckpointRow known = checkpoints.merge(row.key(), row, CheckpointRow::plus);
    rank(row.name()).add(known);
  }

  /** Restored ranks do without the checkpoints that they left behind. */
  private void goBack(List<RestoreRow> rows) {
    Map<RankName, RankBook> restoredRanks = new HashMap<>();
    for (RestoreRow row : rows) {
      RankBook book = ranks.get(row.name());
      if (book != null) {
        book.add(row);
        restoredRanks.put(row.name(), book);
      }
    }
    if (!restoredRanks.isEmpty()) {
      for (CheckpointRow row : checkpoints.values()) {
        RankBook book = restoredRanks.get(row.name());
        if (book != null) {
          book.addAgain(row);
        }
      }
    }
  }

  /** Which ranks of a group are behind; those that a smaller group left out are not. */
  private void compare(String group) {
    List<RankBook> members =
        groups.getOrDefault(group, Set.of()).stream()
            .filter(book -> book.newest() != null)
            .toList();
    RankBook front = null;
    for (RankBook book : members) {
      if (front == null || seal(book).isAfter(seal(front))) {
        front = book;
      }
    }
    for (RankBook book : members) {
      boolean present = front != null && book.name().rank() < front.size();
      book.compare(front != null && present ? seal(front) : seal(book), newestMillis);
    }
  }

  private static SealView seal(RankBook book) {
    return Objects.requireNonNull(book.newest());
  }

  private void planned(PlanRow made) {
    plan = made;
    measured.clear();
  }

  private void process(Round round) {
    ProcessView known = known(round.process());
    put(
        new ProcessView(
            known.process(),
            known.host(),
            round.cache() == null ? known.cache() : round.cache(),
            round.goodputNanos().isEmpty() ? known.goodputNanos() : round.goodputNanos(),
            round.atMillis(),
            known.goneMillis(),
            known.goneReason()));
  }

  private ProcessView known(String process) {
    ProcessView known = processes.get(Rows.text(process));
    return known == null ? new ProcessView(process, "", null, Map.of(), 0, 0, "") : known;
  }

  /** A process that is gone makes room for another one. */
  private void put(ProcessView process) {
    processes.put(process.process(), process);
    if (processes.size() > MOST_PROCESSES) {
      String oldest =
          processes.values().stream()
              .filter(ProcessView::isGone)
              .findFirst()
              .orElse(processes.values().iterator().next())
              .process();
      processes.remove(oldest);
    }
  }

  /** Spark has started an executor. */
  public synchronized void started(String process, String host) {
    ProcessView known = known(process);
    put(new ProcessView(process, host, known.cache(), known.goodputNanos(), 0, 0, ""));
  }

  /** Spark has removed an executor. */
  public synchronized void gone(String process, long atMillis, String reason) {
    ProcessView known = known(process);
    goneProcesses += known.isGone() ? 0 : 1;
    newestGoneMillis = Math.max(newestGoneMillis, atMillis);
    List<RankName> there =
        runningIn.getOrDefault(known.process(), Set.of()).stream()
            .filter(name -> ranks.containsKey(name))
            .filter(name -> rank(name).isWithout(known.process(), atMillis))
            .toList();
    runningIn.remove(known.process());
    giveUp(lost.lost(there), atMillis);
    put(
        new ProcessView(
            process,
            known.host(),
            known.cache(),
            known.goodputNanos(),
            known.lastMillis(),
            atMillis,
            reason));
  }

  /** Spark has begun a job, which may bring ranks back whose process is gone. */
  public synchronized void began(int job) {
    lost.began(job);
  }

  /** Spark has ended a job, with its ranks. */
  public synchronized void ended(int job, long atMillis) {
    giveUp(lost.ended(job), atMillis);
  }

  private void giveUp(Set<RankName> names, long atMillis) {
    for (RankName name : names) {
      RankBook book = ranks.get(name);
      if (book != null) {
        book.givenUp(atMillis);
      }
    }
  }

  private static <K, V> void replace(Map<K, V> map, K key, V value) {
    map.remove(key);
    map.put(key, value);
  }

  /** Everything of an application that has ended; linear in the board. */
  public synchronized BoardView view() {
    return view(Math.max(newestMillis, newestGoneMillis));
  }

  /**
   * Everything by now; linear in the board.
   *
   * @param nowMillis the present, since 1970
   */
  public synchronized BoardView view(long nowMillis) {
    List<RankView> rankViews =
        ranks.values().stream()
            .map(RankBook::view)
            .sorted(Comparator.comparing(RankView::name))
            .toList();
    long captured = rankViews.stream().mapToLong(RankView::captures).sum();
    List<AlarmRow> newestAlarms = new ArrayList<>(stragglers(rankViews));
    newestAlarms.addAll(alarms.view(nowMillis));
    return new BoardView(
        newestMillis,
        rankViews,
        List.copyOf(checkpoints.values()),
        Math.max(0, captured - checkpoints.size()),
        processes.values().stream().sorted(BY_NUMBER).toList(),
        List.copyOf(restores.values()),
        newestAlarms,
        List.copyOf(patterns.values()),
        plan,
        List.copyOf(measured.values()),
        restored,
        goneProcesses,
        nowMillis);
  }

  private List<AlarmRow> stragglers(List<RankView> views) {
    Map<RankName, Long> behind = new HashMap<>();
    ranks.values().stream()
        .filter(book -> book.behindMillis() > 0)
        .forEach(book -> behind.put(book.name(), newestMillis - book.behindMillis()));
    return Stragglers.of(views, behind);
  }
}
