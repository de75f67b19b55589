package io.cairn.spark.metrics;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.core.cadence.PeriodBound;
import io.cairn.core.goodput.Cause;
import io.cairn.core.threads.DaemonThreads;
import io.cairn.engine.coordination.CadenceReports;
import io.cairn.engine.events.Counters;
import io.cairn.engine.events.GoodputBook;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.engine.runtime.RunningRank;
import io.cairn.spark.ranks.StandbyDesk;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Registers the counters of a process as gauges, such as {@code store.sealed}. */
public final class CairnMetrics {
  private static final List<Class<? extends Outcome>> OUTCOMES =
      List.of(
          Outcome.Sealed.class, Outcome.Skipped.class, Outcome.Fenced.class, Outcome.Failed.class);

  private CairnMetrics() {}

  /** Registers the failures of this process, which are counted whatever becomes of the rest. */
  public static void registerFailures(MetricRegistry registry) {
    registry.register(KnownMetrics.FAILURES.name(), (Gauge<Long>) DaemonThreads::failures);
  }

  /**
   * Registers the metrics of a process with ranks. The names do not depend on what has happened.
   *
   * @param opened empty while no rank has joined there; counters are 0 then
   */
  public static void registerProcess(
      MetricRegistry registry, Supplier<Optional<CairnEngine>> opened) {
    registerCounters(registry, from(opened, CairnEngine::counters, new Counters()));
    registerReports(registry, from(opened, CairnEngine::cadenceReports, new CadenceReports()));
    GoodputBook none = new GoodputBook(System::nanoTime, System::currentTimeMillis, 0);
    registerGoodput(registry, from(opened, CairnEngine::goodput, none));
    registerRunning(registry, from(opened, CairnEngine::running, List.of()));
  }

  private static <T> Supplier<T> from(
      Supplier<Optional<CairnEngine>> opened, Function<CairnEngine, T> part, T none) {
    return () -> opened.get().map(part).orElse(none);
  }

  private static void registerCounters(MetricRegistry registry, Supplier<Counters> counters) {
    for (Metric metric : KnownMetrics.COUNTERS) {
      String name = metric.name();
      registry.register(name, (Gauge<Long>) () -> counters.get().snapshot().getOrDefault(name, 0L));
    }
    for (Level level : Level.values()) {
      for (Class<? extends Outcome> outcome : OUTCOMES) {
        registry.register(
            KnownMetrics.name(level, outcome),
            (Gauge<Long>) () -> counters.get().count(level, outcome));
      }
    }
  }

  /** Registers what the groups report that this process coordinates. */
  public static void register(MetricRegistry registry, CadenceReports reports) {
    registerReports(registry, () -> reports);
  }

  /**
   * Registers predicted and achieved waste, as fractions of run time; NaN while unknown. Also, per
   * level, the number of groups whose period is bounded in time: {@code node.within.binds}.
   */
  private static void registerReports(MetricRegistry registry, Supplier<CadenceReports> reports) {
    registry.register("waste.predicted", (Gauge<Double>) () -> reports.get().predictedWaste());
    registry.register("waste.achieved", (Gauge<Double>) () -> reports.get().achievedWaste());
    for (Level level : KnownMetrics.BOUNDED) {
      registry.register(
          KnownMetrics.bindsName(level),
          (Gauge<Long>) () -> reports.get().groupsAt(level, PeriodBound.WITHIN));
    }
  }

  /** Registers the sums over all processes of an application, by the names of each process's. */
  public static void register(MetricRegistry registry, ApplicationTotals totals) {
    registry.register(KnownMetrics.ETTR, (Gauge<Double>) totals::ettr);
    for (int k = 0; k < KnownMetrics.SUMS.size(); k++) {
      int index = k;
      registry.register(KnownMetrics.SUMS.get(k).name(), (Gauge<Long>) () -> totals.sum(index));
    }
    for (int k = 0; k < KnownMetrics.NOW.size(); k++) {
      int index = k;
      registry.register(KnownMetrics.NOW.get(k).name(), (Gauge<Long>) () -> totals.now(index));
    }
  }

  /** Registers the ranks that ran in a process that is gone, and run in no other one. */
  public static void registerLost(MetricRegistry registry, ApplicationTotals totals) {
    registry.register(KnownMetrics.LOST.name(), (Gauge<Integer>) totals::lost);
  }

  /** Registers the ranks that run in this process, and how long checkpoints of theirs wait. */
  private static void registerRunning(
      MetricRegistry registry, Supplier<List<RunningRank>> running) {
    for (Metric metric : KnownMetrics.NOW) {
      registry.register(
          metric.name(), (Gauge<Long>) () -> ProcessTotals.now(metric.name(), running.get()));
    }
  }

  /** Registers takeovers so far, and the tasks that wait for one. */
  public static void register(MetricRegistry registry, StandbyDesk standbys) {
    registry.register(KnownMetrics.TAKEOVERS.name(), (Gauge<Long>) standbys::takeovers);
    registry.register(KnownMetrics.STANDBYS_WAITING.name(), (Gauge<Integer>) standbys::waiting);
  }

  /**
   * Registers the time of this process's ranks by its causes, such as {@code
   * goodput.training.nanos}, which can be added over processes. {@code goodput.ettr} is the part
   * that counts; NaN while there was no time.
   */
  private static void registerGoodput(MetricRegistry registry, Supplier<GoodputBook> goodput) {
    registry.register(KnownMetrics.ETTR, (Gauge<Double>) () -> goodput.get().times().ettr());
    for (Cause cause : Cause.values()) {
      registry.register(
          KnownMetrics.name(cause), (Gauge<Long>) () -> goodput.get().times().of(cause));
    }
  }
}
