package io.cairn.spark.driver;

import io.cairn.core.sharing.DeskPlan;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.coordination.CadenceReports;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.spark.ui.LivePage;
import io.cairn.spark.ui.Report;
import io.cairn.spark.ui.collect.Figures;
import io.cairn.spark.ui.collect.Patterns;
import io.cairn.spark.ui.collect.PlanRows;
import io.cairn.spark.ui.collect.ReportSender;
import io.cairn.spark.ui.collect.RoundCollector;
import io.cairn.spark.ui.model.PatternRow;
import io.cairn.spark.ui.model.Round;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;

/**
 * The figures of an application for Spark's UI: those of executors, and the driver's own. Without a
 * UI and an event log there are none. Thread-safe.
 */
final class DriverRounds implements AutoCloseable {
  private static final String PROCESS = "driver";

  private final @Nullable LivePage page;
  private final PlanRows plans = new PlanRows(System::currentTimeMillis);
  private @Nullable ReportSender sender;
  private @Nullable ReportSender ranks;

  private DriverRounds(@Nullable LivePage page) {
    this.page = page;
  }

  /** Adds the tab, which has no figures yet. */
  static DriverRounds open(SparkContext spark) {
    return new DriverRounds(LivePage.isSeen(spark) ? LivePage.open(spark) : null);
  }

  /** Begins to post the driver's figures, unless it has. */
  synchronized void begin(CairnConfig config, CadenceReports reports) {
    if (page != null && sender == null) {
      Figures figures =
          new Figures(
              Optional::empty, Map::of, () -> patterns(config, reports), plans::take, List::of);
      sender = sender(new RoundCollector(PROCESS, System::currentTimeMillis), figures);
    }
  }

  /** Whether anybody sees the figures of executors. */
  boolean isSeen() {
    return page != null;
  }

  private static List<PatternRow> patterns(CairnConfig config, CadenceReports reports) {
    List<PatternRow> all = new ArrayList<>(Patterns.of(config.cadence(), reports));
    all.add(Patterns.start(config.cadence()));
    return all;
  }

  /** The driver's totals are read where they are needed. */
  private ReportSender sender(RoundCollector collector, Figures figures) {
    return new ReportSender(
        Optional::empty,
        () -> collector.take(figures),
        report -> {
          take(report);
          return true;
        },
        collector::lost);
  }

  /** Posts the round of a report, if there is one. */
  void take(Report report) {
    Round round = report.round();
    if (page != null && round != null) {
      page.post(round);
    }
  }

  /** Takes the plans of the desk. */
  Consumer<DeskPlan> plans() {
    return plans::made;
  }

  /** Reports the ranks in the driver, too. */
  synchronized void ranksHere(CairnEngine cairn) {
    if (page != null) {
      RoundCollector collector = new RoundCollector(PROCESS, System::currentTimeMillis);
      cairn.observers().add(collector);
      ranks = sender(collector, Figures.of(cairn));
    }
  }

  @Override
  public synchronized void close() {
    if (ranks != null) {
      ranks.close();
    }
    if (sender != null) {
      sender.close();
    }
  }
}
