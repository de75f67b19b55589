package io.cairn.spark.executor;

import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.GroupId;
import io.cairn.engine.runtime.Cairn;
import io.cairn.engine.runtime.CairnConfig;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.spark.SparkSettings;
import io.cairn.spark.exchange.Exchange.NodeCopy;
import io.cairn.spark.metrics.CairnMetrics;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.util.SignalUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The executors' part: opens Cairn with what the driver resolved, makes it the process's own, and
 * lets the ranks of coupled groups reach the driver. A task that Spark killed learns of it at its
 * next checkpoint, or while it waits for its group, by a {@link CancellationException}: the
 * survivors of a barrier stage are not interrupted by anybody else.
 */
public final class ExecutorAgent implements ExecutorPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutorAgent.class);

  private static final Duration RESCUE_PATIENCE = Duration.ofSeconds(5);

  private @Nullable Cairn cairn;
  private @Nullable RemoteCoordination coordination;

  /** Made by the plugin. */
  public ExecutorAgent() {}

  @Override
  public void init(PluginContext context, Map<String, String> settings) {
    CairnConfig config = CairnConfig.of(settings);
    try {
      CheckpointStore store =
          CheckpointStores.open(
              config.store(), SparkHadoopUtil.get().newConfiguration(context.conf()));
      Cairn opened = Cairn.open(config, store);
      String host = SparkEnv.get().blockManager().blockManagerId().host();
      RemoteCoordination remote =
          new RemoteCoordination(
              context.executorID(),
              host + ":" + config.nodeDirectory(),
              inventory(opened),
              request -> (byte[]) context.ask(request));
      opened.coordinateCoupledGroups(remote);
      opened.interruption(ExecutorAgent::requireTaskAlive);
      opened.install();
      CairnMetrics.register(context.metricRegistry(), opened.counters());
      CairnMetrics.register(context.metricRegistry(), opened.cadenceReports());
      cairn = opened;
      coordination = remote;
      rescueWhenDecommissioned(context.conf(), opened);
    } catch (IOException e) {
      throw new IllegalStateException(
          "Cairn cannot start in executor "
              + context.executorID()
              + " (settings "
              + SparkSettings.PREFIX
              + "*): "
              + e.getMessage(),
          e);
    }
  }

  private static void requireTaskAlive() {
    TaskContext task = TaskContext.get();
    if (task != null && task.isInterrupted()) {
      TaskKilledException killed = new TaskKilledException("killed");
      throw (CancellationException)
          new CancellationException("the task was killed; its group goes on without this attempt")
              .initCause(killed);
    }
  }

  /** What this node holds of the job at NODE, from the manifests in its directory. */
  private static List<NodeCopy> inventory(Cairn cairn) {
    List<NodeCopy> copies = new ArrayList<>();
    try {
      for (GroupId group : Inventory.groups(cairn.node(), cairn.config().job())) {
        for (StoredCheckpoint stored : Inventory.list(cairn.node(), group).checkpoints().values()) {
          for (CheckpointManifest part : stored.parts()) {
            part.ranks().forEach(rank -> copies.add(new NodeCopy(part.id(), rank, part.size())));
          }
        }
      }
    } catch (IOException e) {
      LOG.warn("What is at {} could not be listed: {}", cairn.node().describe(), e.getMessage());
    }
    return copies;
  }

  /**
   * Spark sends a signal where its cluster manager knows beforehand that an executor ends; Spark's
   * own handler runs too. A decommission that comes from the driver has no signal: then {@link
   * #shutdown} is the first to know.
   */
  private static void rescueWhenDecommissioned(SparkConf conf, Cairn cairn) {
    if (conf.getBoolean("spark.decommission.enabled", false)) {
      String signal = conf.get("spark.executor.decommission.signal", "PWR");
      SignalUtils.register(
          signal,
          "Checkpoints will not be rescued at SIG" + signal,
          true,
          () -> {
            Thread thread = new Thread(() -> cairn.rescue(RESCUE_PATIENCE), "cairn-rescue");
            thread.setDaemon(true);
            thread.start();
            return false; // not handled: Spark goes on with it
          });
    }
  }

  /**
   * What ranks that still train here would lose is rescued first. Then Cairn ends, and last the way
   * to the driver, which is still to be told what the stages end with.
   */
  @Override
  public void shutdown() {
    if (cairn != null) {
      cairn.rescue(RESCUE_PATIENCE);
      cairn.close();
    }
    if (coordination != null) {
      coordination.close();
    }
  }
}
