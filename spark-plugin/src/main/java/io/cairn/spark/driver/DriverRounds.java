package io.cairn.spark.driver;

import io.cairn.core.sharing.DeskPlan;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.coordination.CadenceReports;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.spark.ui.LivePage;
import io.cairn.spark.ui.collect.Figures;
import io.cairn.spark.ui.collect.Patterns;
import io.cairn.spark.ui.collect.PlanRows;
import io.cairn.spark.ui.collect.RoundCollector;
import io.cairn.spark.ui.collect.RoundSender;
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
  private @Nullable RoundSender sender;
  private @Nullable RoundSender ranks;

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
      sender =
          new RoundSender(
              new RoundCollector(PROCESS, System::currentTimeMillis), figures, this::post);
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

  /** Posts a round. */
  void post(Round round) {
    if (page != null) {
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
      ranks = new RoundSender(collector, Figures.of(cairn), this::post);
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
