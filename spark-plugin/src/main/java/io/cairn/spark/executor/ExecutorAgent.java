package io.cairn.spark.executor;

import io.cairn.Cairn;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.engine.runtime.ProcessInstance;
import io.cairn.spark.metrics.CairnMetrics;
import io.cairn.spark.settings.SparkSettings;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The executors' part: opens Cairn when the first rank joins here, with the settings that the
 * driver resolved. One without ranks opens it when a rank has joined anywhere: it serves copies at
 * NODE, and lends memory. Until then it has one thread, {@link JobWatch}.
 *
 * <p>A task that Spark killed receives a {@link java.util.concurrent.CancellationException} at its
 * next checkpoint, or while it waits for its group: Spark does not interrupt the survivors of a
 * barrier stage.
 */
public final class ExecutorAgent implements ExecutorPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutorAgent.class);

  private @Nullable JobWatch watch;
  private volatile @Nullable ExecutorParts parts;
  private volatile boolean ending;

  /** For Spark, by the plugin. */
  public ExecutorAgent() {}

  /**
   * Prepares Cairn in this executor. With the address of the driver's part it opens it now, since
   * the driver has opened that at the start, and asks the driver for the settings. An {@link Error}
   * switches Cairn off here, and ends no executor.
   *
   * @throws IllegalStateException if it cannot start, with the reason; Spark ends the executor
   */
  @Override
  public void init(PluginContext given, Map<String, String> fromDriver) {
    try {
      CairnMetrics.registerFailures(given.metricRegistry());
      CairnMetrics.registerProcess(given.metricRegistry(), this::opened);
      JobWatch asking = new JobWatch(given.executorID(), given::ask);
      watch = asking;
      if (fromDriver.containsKey(SparkSettings.DRIVER)) {
        ExecutorParts now = ExecutorParts.open(given, asking.join());
        parts = now;
        now.cairn().install();
      } else {
        begin(given, asking, Boolean.parseBoolean(fromDriver.get(SparkSettings.DESK)));
      }
    } catch (IOException e) {
      throw new IllegalStateException(
          "Cairn cannot start in executor " + given.executorID() + ": " + e.getMessage(), e);
    } catch (Error e) { // Spark's handler would end the executor, and each that follows
      var unused = SwitchedOff.by(e);
    }
  }

  private void begin(PluginContext given, JobWatch asking, boolean desk) {
    ProcessInstance.openOnDemand(() -> open(given, asking), ExecutorParts::requireTaskAlive);
    if (desk) {
      asking.watch(Cairn::current);
    }
  }

  /** On demand, so by one thread at a time. */
  private CairnEngine open(PluginContext given, JobWatch asking) throws IOException {
    if (parts != null) {
      throw new IllegalStateException(
          "Cairn was closed in this executor: the plugin does so at its end, and nobody else");
    }
    try {
      ExecutorParts now = ExecutorParts.open(given, asking.join());
      parts = now;
      asking.close();
      if (ending) {
        now.close();
        throw new IllegalStateException("this executor ends");
      }
      LOG.info("Cairn is open in executor {}", given.executorID());
      return now.cairn();
    } catch (Error e) {
      asking.close();
      throw SwitchedOff.reason(e);
    }
  }

  private Optional<CairnEngine> opened() {
    return Optional.ofNullable(parts).map(ExecutorParts::cairn);
  }

  /** Rescues the checkpoints of ranks that still train here, then closes Cairn. */
  @Override
  public void shutdown() {
    ending = true;
    if (watch != null) {
      watch.close();
    }
    ExecutorParts open = parts;
    if (open != null) {
      open.close();
    }
  }
}
