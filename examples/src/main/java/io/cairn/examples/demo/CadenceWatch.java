package io.cairn.examples.demo;

import io.cairn.Level;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadenceReport;
import io.cairn.core.cadence.Learned;
import io.cairn.core.cadence.PeriodBound;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Writes the cadence that a fold begins with, and each change of it, to the fold's log. The
 * training thread owns it.
 */
final class CadenceWatch {
  private static final double MILLIS = 1e3;

  private final Supplier<Optional<CadenceReport>> newest;
  private final FoldLog log;
  private long first = -1;
  private Optional<CadenceReport> seen = Optional.empty();

  /** A watch over the newest report of the fold's group. */
  CadenceWatch(Supplier<Optional<CadenceReport>> newest, FoldLog log) {
    this.newest = newest;
    this.log = log;
  }

  /** Writes what is new. Called after each iteration, with the number of completed ones. */
  void look(long completed) {
    first = first < 0 ? completed - 1 : first;
    Optional<CadenceReport> report = newest.get();
    if (report.isPresent() && !report.equals(seen)) {
      write(report.get());
      seen = report;
    }
  }

  private void write(CadenceReport report) {
    if (seen.isEmpty()) {
      log.cadence(event(first, report));
    } else if (seen.get().plan().version() != report.plan().version()) {
      log.cadence(event(report.plan().fromIteration(), report));
    }
    if (report.seconds() > 0) {
      log.waste(
          new FoldEvent.Waste(report.seconds(), report.predictedSoFar(), report.achievedSoFar()));
    }
  }

  /** The event of a plan that holds from an iteration on. */
  static FoldEvent.Cadence event(long atIteration, CadenceReport report) {
    CadencePlan plan = report.plan();
    Optional<Learned> learned = report.learned();
    return new FoldEvent.Cadence(
        atIteration,
        every(plan, Level.DEVICE),
        every(plan, Level.NODE),
        every(plan, Level.STORE),
        learned.map(known -> MILLIS * known.iterationSeconds()).orElse(Double.NaN),
        cost(learned, Level.DEVICE).map(cost -> MILLIS * cost.blockingSeconds()).orElse(Double.NaN),
        cost(learned, Level.NODE).map(cost -> MILLIS * cost.flushSeconds()).orElse(Double.NaN),
        cost(learned, Level.STORE).map(cost -> MILLIS * cost.flushSeconds()).orElse(Double.NaN),
        report.predicted(),
        bound(report));
  }

  private static long every(CadencePlan plan, Level level) {
    return plan.periods().getOrDefault(level, 0L);
  }

  private static Optional<Learned.Cost> cost(Optional<Learned> learned, Level level) {
    return learned.flatMap(known -> Optional.ofNullable(known.costs().get(level)));
  }

  /** Such as {@code within}, or {@code node within, store optimum} where the levels differ. */
  private static String bound(CadenceReport report) {
    Map<Level, PeriodBound> bounds = new EnumMap<>(Level.class);
    bounds.putAll(report.bounds());
    // DEVICE captures every iteration, unless that costs too much
    bounds.remove(Level.DEVICE, PeriodBound.START);
    bounds.remove(Level.DEVICE, PeriodBound.OPTIMUM);
    Set<PeriodBound> kinds = Set.copyOf(bounds.values());
    return kinds.size() == 1
        ? lower(kinds.iterator().next())
        : bounds.entrySet().stream()
            .map(bound -> lower(bound.getKey()) + " " + lower(bound.getValue()))
            .collect(Collectors.joining(", "));
  }

  private static String lower(Enum<?> word) {
    return word.name().toLowerCase(Locale.ROOT);
  }
}
