package io.cairn.spark.executor;

import io.cairn.core.model.OpenParts;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.threads.DaemonThreads;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.coordination.RemoteCoordination;
import io.cairn.engine.net.OwnAddress;
import io.cairn.engine.net.PeerSecret;
import io.cairn.engine.net.TcpPeerTransport;
import io.cairn.engine.nodes.NodeName;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.engine.runtime.DeviceLinks;
import io.cairn.engine.runtime.MeetingProcess;
import io.cairn.flush.store.LateStore;
import io.cairn.spark.metrics.ProcessTotals;
import io.cairn.spark.ranks.StandbyTasks;
import io.cairn.spark.settings.ApplicationSecret;
import io.cairn.spark.settings.SparkSettings;
import io.cairn.spark.ui.collect.Figures;
import io.cairn.spark.ui.collect.ReportSender;
import io.cairn.spark.ui.collect.RoundCollector;
import io.cairn.spark.ui.model.Round;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.util.SignalUtils;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an executor opens for ranks, its own and those of others: Cairn, its ways to the driver and
 * to other executors, and the threads that report. Thread-safe, except {@link #close()}.
 */
final class ExecutorParts implements AutoCloseable {
  private static final String APPLICATION = "spark.app.id";
  private static final Logger LOG = LoggerFactory.getLogger(ExecutorParts.class);

  private static final Duration RESCUE_PATIENCE = Duration.ofSeconds(5);

  private final CairnEngine cairn;
  private final PeerSecret secret;
  private @Nullable RemoteCoordination coordination;
  private @Nullable DriverExchange toDriver;
  private @Nullable ReportSender reports;
  private @Nullable StandbyTasks standbys;

  /** Tasks whose end will be reported. */
  private final Set<Long> reported = ConcurrentHashMap.newKeySet();

  private ExecutorParts(CairnEngine cairn, PeerSecret secret) {
    this.cairn = cairn;
    this.secret = secret;
  }

  /**
   * Opens all of it; if that fails, nothing stays open.
   *
   * @param fromDriver the settings that the driver resolved, and those that it added
   * @throws IllegalStateException naming the executor, with the reason
   */
  static ExecutorParts open(PluginContext context, Map<String, String> fromDriver) {
    Map<String, String> settings = new HashMap<>(fromDriver);
    String driver = String.valueOf(settings.remove(SparkSettings.DRIVER));
    boolean desk = Boolean.parseBoolean(settings.remove(SparkSettings.DESK));
    boolean seen = Boolean.parseBoolean(settings.remove(SparkSettings.ROUNDS));
    Optional<String> storeIdentity =
        Optional.ofNullable(settings.remove(SparkSettings.STORE_IDENTITY));
    Optional<String> shared = Optional.ofNullable(settings.remove(SparkSettings.SHARING));
    Optional<String> given = Optional.ofNullable(settings.remove(SparkSettings.SECRET));
    LocalDevices.nameGpu(settings, context.resources());
    try {
      CairnConfig config = CairnConfig.of(settings);
      shared
          .filter(unused -> desk && config.sharing().on())
          .flatMap(
              ofDriver -> SparkSettings.otherThanShared(ofDriver, config, context.executorID()))
          .ifPresent(LOG::warn);
      PeerAddress address = address(driver);
      PeerSecret secret =
          ApplicationSecret.of(context.conf(), SparkEnv.get().securityManager(), given);
      Configuration hadoop = SparkHadoopUtil.get().newConfiguration(context.conf());
      ExecutorParts parts = new ExecutorParts(open(config, storeIdentity, hadoop), secret);
      try {
        parts.start(context, address, desk, seen);
        return parts;
      } catch (IOException | RuntimeException | Error e) {
        parts.closeAfter(e);
        throw e;
      }
    } catch (IOException | RuntimeException e) {
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

  /** A part that is half open may meet the same error again. */
  private void closeAfter(Throwable failure) {
    try {
      close();
    } catch (RuntimeException | Error e) {
      LOG.debug("Not everything was closed after {}", failure, e);
    }
  }

  /** Checkpointing in this executor. */
  CairnEngine cairn() {
    return cairn;
  }

  private void start(PluginContext context, PeerAddress driver, boolean desk, boolean seen)
      throws IOException {
    String host = host(context);
    CairnConfig config = cairn.config();
    DriverExchange exchange = new DriverExchange(driver, secret);
    toDriver = exchange;
    StandbyTasks ranks = new StandbyTasks(context.executorID(), host, exchange);
    standbys = ranks;
    boolean shares = desk && config.sharing().on();
    RemoteCoordination remote =
        new RemoteCoordination(
            context.executorID(),
            NodeName.of(host, config.nodeDirectory()),
            shares ? DeviceLinks.ofMachine() : "",
            exchange);
    coordination = remote;
    cairn.coordinateCoupledGroups(remote);
    // at the start of local mode the application has no id yet, and its run is the process
    if (context.conf().contains(APPLICATION)) {
      cairn.run(context.conf().get(APPLICATION));
    }
    RoundCollector collector = new RoundCollector(context.executorID(), System::currentTimeMillis);
    reports =
        new ReportSender(
            () ->
                Optional.of(
                    ProcessTotals.of(
                        context.executorID(), cairn.counters(), cairn.goodput(), cairn.running())),
            seen ? rounds(collector) : Optional::empty,
            exchange::report,
            collector::lost);
    cairn.interruption(() -> checkTask(TaskContext.get()));
    if (desk) {
      boolean unused =
          cairn.meet(
              new MeetingProcess(
                  context.executorID(),
                  host,
                  LocalDevices.device(context.resources(), context.executorID()),
                  driver,
                  transports(context, host),
                  () -> {}));
    }
    rescueWhenDecommissioned(context.conf(), cairn);
    ranks.install(); // last: a task that finds them counts on all of it
  }

  private Supplier<Optional<Round>> rounds(RoundCollector collector) {
    Figures figures = Figures.of(cairn);
    cairn.observers().add(collector);
    return () -> collector.take(figures);
  }

  /** The driver has checked the store, so a failure here may pass. */
  private static CairnEngine open(
      CairnConfig config, Optional<String> storeIdentity, Configuration hadoop) throws IOException {
    try (OpenParts open = new OpenParts()) {
      LateStore store =
          open.add(
              new LateStore(
                  config.store(),
                  () -> StoreOfTheDriver.open(config, storeIdentity, hadoop),
                  System::nanoTime));
      return open.keep(CairnEngine.openLate(config, store));
    }
  }

  /**
   * The name of this machine. In local mode the block manager has no id yet when plugins start;
   * elsewhere the context has no host name.
   */
  private static String host(PluginContext context) {
    BlockManagerId id = SparkEnv.get().blockManager().blockManagerId();
    return id == null ? context.hostname() : id.host();
  }

  private PeerTransport.Opening transports(PluginContext context, String machine) {
    CairnConfig config = cairn.config();
    return service ->
        TcpPeerTransport.openWithin(
            config.network().isPresent() ? OwnAddress.in(config.network().get()) : machine,
            config.sharing().port(),
            SparkSettings.portRetries(context.conf()),
            secret,
            service,
            PeerLimits.DEFAULT);
  }

  private static PeerAddress address(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException("the driver serves at '" + text + "', not at host:port");
    }
    return new PeerAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }

  /** On a training thread, at each of its checkpoints and while it waits. */
  private void checkTask(@Nullable TaskContext task) {
    if (task != null && reported.add(task.taskAttemptId())) {
      // on the task's thread, before Spark sends its result: the application may end right after
      TaskContext unused = task.addTaskCompletionListener((TaskCompletionListener) this::ended);
    }
    requireTaskAlive();
  }

  private void ended(TaskContext task) {
    reported.remove(task.taskAttemptId());
    if (reports != null) {
      reports.now();
    }
  }

  /** Throws on the thread of a task that Spark killed, or whose rank another task trains. */
  static void requireTaskAlive() {
    TaskContext task = TaskContext.get();
    if (task != null && task.isInterrupted()) {
      TaskKilledException killed = new TaskKilledException("killed");
      throw (CancellationException)
          new CancellationException("the task was killed; its group continues without this attempt")
              .initCause(killed);
    }
    StandbyTasks.requireOwn();
  }

  /**
   * Rescues checkpoints when Spark's cluster manager signals a decommission; Spark's own handler
   * runs too. A decommission by the driver sends no signal: then {@link #close} rescues.
   */
  private static void rescueWhenDecommissioned(SparkConf conf, CairnEngine cairn) {
    if (conf.getBoolean("spark.decommission.enabled", false)) {
      String signal = conf.get("spark.executor.decommission.signal", "PWR");
      SignalUtils.register(
          signal,
          () -> {
            DaemonThreads.unstarted("cairn-rescue", () -> cairn.rescue(RESCUE_PATIENCE)).start();
            return false; // not handled: Spark's handler runs next
          });
    }
  }

  /**
   * Rescues the checkpoints of ranks that still train here, then closes Cairn. The coordination is
   * closed last, since it sends the final reports of the stages.
   */
  @Override
  public void close() {
    cairn.rescue(RESCUE_PATIENCE);
    cairn.close();
    if (reports != null) {
      reports.close();
    }
    if (coordination != null) {
      coordination.close();
    }
    if (standbys != null) {
      standbys.close();
    }
    if (toDriver != null) {
      toDriver.close();
    }
  }
}
