package io.cairn.spark.ui.collect;

import io.cairn.CairnEvent;
import io.cairn.CheckpointId;
import io.cairn.Member;
import io.cairn.RestoreReport;
import io.cairn.engine.runtime.RunningRank;
import io.cairn.spark.ui.model.AlarmRow;
import io.cairn.spark.ui.model.CacheRow;
import io.cairn.spark.ui.model.MeasuredRow;
import io.cairn.spark.ui.model.PatternRow;
import io.cairn.spark.ui.model.PlanRow;
import io.cairn.spark.ui.model.RestoreRow;
import io.cairn.spark.ui.model.Round;
import io.cairn.spark.ui.model.RunningRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects the events of a process, as their observer, into {@link Round}s. Between two rounds it
 * keeps a bounded number of them. Thread-safe; an event takes constant time.
 */
public final class RoundCollector implements Consumer<CairnEvent> {
  private final String process;
  private final LongSupplier nowMillis;

  /** All guarded by this. */
  private final Map<Member, RankNews> ranks = new LinkedHashMap<>();

  private final Map<Member, Map<CheckpointId, Long>> captured = new LinkedHashMap<>();
  private final List<RestoreRow> restores = new ArrayList<>();
  private final Map<List<String>, AlarmRow> alarms = new LinkedHashMap<>();
  private final Map<Member, MeasuredRow> measured = new LinkedHashMap<>();
  private @Nullable CacheRow cacheSent;
  private Map<String, Long> goodputSent = Map.of();
  private @Nullable List<RunningRow> runningSent = List.of();
  private final Map<String, PatternRow> patternsSent = new LinkedHashMap<>();

  /**
   * Nothing has happened.
   *
   * @param process the executor's id, or "driver"
   * @param nowMillis as {@link System#currentTimeMillis}
   */
  public RoundCollector(String process, LongSupplier nowMillis) {
    this.process = process;
    this.nowMillis = nowMillis;
  }

  @Override
  public synchronized void accept(CairnEvent event) {
    if (event instanceof CairnEvent.Captured done) {
      news(done.member())
          .ifPresent(
              news ->
                  news.captured(
                      done.id(), done.bytes(), done.blockedNanos(), nowMillis.getAsLong()));
    } else if (event instanceof CairnEvent.Settled settled) {
      news(settled.member())
          .ifPresent(
              news ->
                  news.settled(
                      settled.id(), settled.level(), settled.outcome(), nowMillis.getAsLong()));
    } else if (event instanceof CairnEvent.Restored restored) {
      restored(restored.member(), restored.report());
    } else if (event instanceof CairnEvent.Leased leased) {
      leased(leased);
    }
    Alarms.of(event, process).ifPresent(alarm -> alarm(alarm.kind(), alarm.place(), alarm.text()));
  }

  /** The rank's news; empty if the round is full. */
  private Optional<RankNews> news(Member member) {
    if (!ranks.containsKey(member) && ranks.size() >= Round.MOST_RANKS) {
      return Optional.empty();
    }
    return Optional.of(ranks.computeIfAbsent(member, m -> new RankNews(m, times(m))));
  }

  private Map<CheckpointId, Long> times(Member member) {
    if (captured.size() > 4 * Round.MOST_RANKS) {
      captured.remove(captured.keySet().iterator().next());
    }
    return captured.computeIfAbsent(member, m -> RankNews.times());
  }

  private void restored(Member member, RestoreReport report) {
    if (restores.size() < Round.MOST_RANKS) {
      restores.add(
          new RestoreRow(
              nowMillis.getAsLong(),
              process,
              member.group().group(),
              member.rank(),
              report.id().epoch(),
              report.id().iteration(),
              report.level().name(),
              report.source(),
              report.bytes(),
              report.attempts().stream().map(RestoreReport.Attempt::toString).toList(),
              0,
              Double.NaN,
              ""));
    }
  }

  private void leased(CairnEvent.Leased leased) {
    if (measured.size() < Round.MOST_OTHERS || measured.containsKey(leased.member())) {
      measured.put(
          leased.member(),
          new MeasuredRow(
              leased.member().group().group(),
              leased.member().rank(),
              leased.id().label(),
              process,
              leased.bytes(),
              leased.nanos() / 1e9));
    }
  }

  private void alarm(String kind, String place, String text) {
    long now = nowMillis.getAsLong();
    AlarmRow one = new AlarmRow(kind, place, 1, now, now, text, 0);
    List<String> key = List.of(kind, place);
    if (alarms.size() < Round.MOST_OTHERS || alarms.containsKey(key)) {
      alarms.merge(key, one, AlarmRow::plus);
    }
  }

  /** The news since the last call; empty if there are none. */
  public Optional<Round> take(Figures figures) {
    Optional<CacheRow> cache = figures.cache().get();
    Map<String, Long> goodput = figures.goodputNanos().get();
    List<PatternRow> patterns = figures.patterns().get();
    Optional<PlanRow> plan = figures.plan().get();
    List<RunningRow> running = running(figures.running().get());
    synchronized (this) {
      List<PatternRow> changed =
          patterns.stream().filter(this::isNew).limit(Round.MOST_OTHERS).toList();
      Round round =
          new Round(
              process,
              nowMillis.getAsLong(),
              ranks.values().stream().map(RankNews::row).toList(),
              ranks.values().stream().flatMap(news -> news.listed().stream()).toList(),
              List.copyOf(restores),
              List.copyOf(alarms.values()),
              cache.filter(now -> !now.equals(cacheSent)).orElse(null),
              goodput.equals(goodputSent) ? Map.of() : goodput,
              changed,
              plan.map(List::of).orElse(List.of()),
              List.copyOf(measured.values()),
              isSent(running) ? null : running);
      cacheSent = cache.orElse(cacheSent);
      goodputSent = goodput;
      runningSent = round.running() == null ? runningSent : running;
      patternsSent.keySet().retainAll(patterns.stream().map(PatternRow::group).toList());
      changed.forEach(pattern -> patternsSent.put(pattern.group(), pattern));
      ranks.clear();
      restores.clear();
      alarms.clear();
      measured.clear();
      return Optional.of(round).filter(RoundCollector::hasNews);
    }
  }

  /** The last round did not arrive: the next one has all of the present state. */
  public synchronized void lost() {
    cacheSent = null;
    goodputSent = Map.of();
    runningSent = null;
    patternsSent.clear();
  }

  private List<RunningRow> running(List<RunningRank> ranks) {
    long now = nowMillis.getAsLong();
    return ranks.stream()
        .limit(Round.MOST_RANKS)
        .map(
            rank -> {
              Map<String, Long> since = new TreeMap<>();
              rank.waitingNanos()
                  .forEach((level, nanos) -> since.put(level.name(), now - nanos / 1_000_000));
              return new RunningRow(
                  rank.member().group().group(), rank.member().rank(), rank.iteration(), since);
            })
        .sorted(Comparator.comparing(RunningRow::name))
        .toList();
  }

  private boolean isSent(List<RunningRow> running) {
    List<RunningRow> sent = runningSent;
    boolean same = sent != null && running.size() == sent.size();
    for (int i = 0; sent != null && same && i < running.size(); i++) {
      same = running.get(i).saysAsMuchAs(sent.get(i));
    }
    return same;
  }

  /** A waste that changes with every iteration is news when the page's is wrong by 0.1 %. */
  private boolean isNew(PatternRow pattern) {
    PatternRow sent = patternsSent.get(pattern.group());
    return sent == null
        || sent.fromIteration() != pattern.fromIteration()
        || !sent.periods().equals(pattern.periods())
        || !sent.reasons().equals(pattern.reasons())
        || differs(sent.achieved(), pattern.achieved())
        || differs(sent.predicted(), pattern.predicted());
  }

  private static boolean differs(double sent, double now) {
    return Double.isNaN(sent) != Double.isNaN(now) || Math.abs(sent - now) > 0.001;
  }

  private static boolean hasNews(Round round) {
    return !round.ranks().isEmpty()
        || !round.restores().isEmpty()
        || !round.alarms().isEmpty()
        || round.cache() != null
        || round.running() != null
        || !round.goodputNanos().isEmpty()
        || !round.patterns().isEmpty()
        || !round.plans().isEmpty()
        || !round.measured().isEmpty();
  }
}
