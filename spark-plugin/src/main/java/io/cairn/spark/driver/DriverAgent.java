package io.cairn.spark.driver;

import io.cairn.core.model.GroupId;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.config.OwnDirectories;
import io.cairn.engine.coordination.CadenceReports;
import io.cairn.engine.coordination.CoordinatorThreads;
import io.cairn.engine.coordination.ExchangeServer;
import io.cairn.engine.coordination.GroupHost;
import io.cairn.engine.coordination.HostContext;
import io.cairn.engine.promotion.NodeDirectory;
import io.cairn.engine.runtime.Cairn;
import io.cairn.engine.runtime.StoreOpening;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.spark.metrics.ApplicationTotals;
import io.cairn.spark.metrics.CairnMetrics;
import io.cairn.spark.metrics.ProcessTotals;
import io.cairn.spark.settings.SparkSettings;
import io.cairn.spark.standby.StandbyDesk;
import io.cairn.spark.ui.LivePage;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The driver's part: carries the coordinators of coupled groups. Checks the settings and the store
 * before the first executor starts, so that a mistake ends the application at once with its reason.
 * Executors reach it at a port of its own, {@link DriverPort}.
 */
public final class DriverAgent implements DriverPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(DriverAgent.class);

  /** Spark waits for the driver's part, and a store that hangs must not keep an application. */
  private static final Duration MOST_WAIT = Duration.ofSeconds(10);

  private final ExchangeServer server =
      new ExchangeServer(this::host, this::arrived, System::nanoTime);
  private final Catalog catalog = new Catalog();
  private final BarrierStages barriers = new BarrierStages(LOG::warn);
  private final CoordinatorThreads coordination = new CoordinatorThreads(System::nanoTime);
  private final CadenceReports cadenceReports = new CadenceReports();
  private final ApplicationTotals totals = new ApplicationTotals();
  private @Nullable CairnConfig config;
  private @Nullable CheckpointStore store;
  private @Nullable SharingDesk desk;
  private @Nullable DriverPort port;
  private @Nullable StandbyDesk standbys;
  private volatile @Nullable Cairn own;
  private @Nullable DriverRounds rounds;
  private String application = "an application";

  /** For Spark, by the plugin. */
  public DriverAgent() {
    totals.include(() -> ProcessTotals.withoutRanks("driver"));
  }

  /** An initialised agent, without Spark. */
  DriverAgent(CairnConfig config, CheckpointStore store) {
    this.config = config;
    this.store = store;
  }

  @Override
  public Map<String, String> init(SparkContext spark, PluginContext context) {
    Configuration hadoop = spark.hadoopConfiguration();
    Map<String, String> settings = SparkSettings.from(spark.conf(), hadoop);
    CairnConfig known = CairnConfig.of(settings);
    try {
      OwnDirectories.makeDefaultStore(known.store());
      NodeDirectory.requireMounted(known.nodeDirectory(), known.store());
      store = openStore(known, hadoop);
      settings.put(
          SparkSettings.STORE_IDENTITY, new NodeDirectory(known.nodeDirectory(), store).identity());
    } catch (IOException e) {
      throw new IllegalArgumentException(
          SparkSettings.PREFIX + "store = " + known.store() + ": " + e.getMessage(), e);
    }
    config = known;
    LOG.info("Cairn: job {}, store {}", known.job(), store.describe());
    DriverRounds seen = DriverRounds.open(known, spark, cadenceReports);
    rounds = seen;
    settings.put(SparkSettings.ROUNDS, Boolean.toString(LivePage.isSeen(spark)));
    serve(known, spark, settings, seen);
    spark.addSparkListener(barriers);
    spark.addSparkListener(new Departures(totals));
    Cairn.openOnDemand(() -> openOwn(known, hadoop, spark.applicationId()));
    return settings;
  }

  private static CheckpointStore openStore(CairnConfig known, Configuration hadoop)
      throws IOException {
    return new StoreOpening(
            known.store(),
            () -> CheckpointStores.open(known.store(), hadoop, known.storeBlocks()),
            () -> CheckpointStores.openUnprobed(known.store(), hadoop, known.storeBlocks()),
            known.storePatience())
        .open();
  }

  /** For ranks in the driver; most drivers have none, so they need neither device nor node. */
  private Cairn openOwn(CairnConfig known, Configuration hadoop, String application)
      throws IOException {
    CheckpointStore opened = openStore(known, hadoop);
    try {
      Cairn cairn = Cairn.open(known, opened);
      cairn.run(application);
      own = cairn;
      totals.include(
          () -> ProcessTotals.of("driver", cairn.counters(), cairn.goodput(), cairn.running()));
      if (rounds != null) {
        rounds.ranksHere(cairn);
      }
      return cairn;
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  /** Serves executors: without the driver's port, no coupled group could begin. */
  private void serve(
      CairnConfig known, SparkContext spark, Map<String, String> settings, DriverRounds seen) {
    boolean peers = (known.sharing().on() || known.nodeServe()) && !spark.isLocal();
    SharingDesk planning = peers ? new SharingDesk(known.sharing(), spark) : null;
    desk = planning;
    if (planning != null) {
      planning.observe(seen.plans());
    }
    try {
      StandbyDesk waiting = new StandbyDesk(known.standbys());
      DriverPort opened =
          DriverPort.open(
              known.driverPort(), server, waiting, planning, seen::post, totals::take, spark);
      spark.addSparkListener(waiting.listener());
      waiting.install();
      standbys = waiting;
      port = opened;
      settings.put(SparkSettings.DRIVER, opened.address().toString());
      settings.put(SparkSettings.DESK, Boolean.toString(peers));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          SparkSettings.PREFIX + "driver.port = " + known.driverPort() + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void registerMetrics(String appId, PluginContext context) {
    application = "application " + appId;
    CairnMetrics.register(context.metricRegistry(), cadenceReports);
    CairnMetrics.register(context.metricRegistry(), totals);
    CairnMetrics.registerLost(context.metricRegistry(), totals);
    if (standbys != null) {
      CairnMetrics.register(context.metricRegistry(), standbys);
    }
  }

  /** Answers a request of an executor. */
  CompletionStage<byte[]> answer(byte[] request) {
    return server.answer(request);
  }

  private void arrived(ExchangeRequest request) {
    if (request instanceof ExchangeRequest.Register register) {
      register(register);
    } else if (request instanceof ExchangeRequest.Send send) {
      send.messages().stream()
          .filter(sent -> sent.message() instanceof MemberMessage.Join && sent.size() > 1)
          .forEach(sent -> barriers.joined(sent.group()));
    }
  }

  private void register(ExchangeRequest.Register executor) {
    if (!executor.inventory().isEmpty()) {
      catalog.report(executor.node(), new HashSet<>(executor.inventory()));
      LOG.info("Node {} holds checkpoints of {}", executor.node(), catalog.groups());
    }
    SharingDesk learning = desk;
    if (learning != null && !executor.topology().isEmpty()) {
      learning.learn(SparkSettings.machine(executor.node()), executor.topology());
    }
  }

  private GroupHost host(GroupId group, int size, GroupHost.Outbox outbox) {
    CairnConfig known = config;
    CheckpointStore opened = store;
    if (known == null || opened == null) {
      throw new IllegalStateException("Cairn's driver part is not initialised");
    }
    HostContext context =
        new HostContext(
            known.cadence(),
            known.retention(),
            known.joinTimeout(),
            opened,
            known.storePatience(),
            application,
            coordination.events(),
            coordination.storing(),
            coordination.searching(),
            cadenceReports,
            System::nanoTime,
            InstantSource.system(),
            HostContext.Alarm.REAL);
    return new GroupHost(context, group, size, outbox);
  }

  @Override
  public void shutdown() {
    Cairn.openOnDemand(null);
    Cairn ranks = own;
    if (ranks != null) {
      ranks.close();
    }
    if (rounds != null) {
      rounds.close();
    }
    CairnConfig known = config;
    if (known != null) {
      // the last ranks of a group have left, and its end may not be marked yet
      long wait = Math.min(MOST_WAIT.toNanos(), known.closeTimeout().toNanos());
      coordination.end(System.nanoTime() + wait);
    }
    if (standbys != null) {
      standbys.close();
    }
    if (port != null) {
      port.close();
    }
    if (desk != null) {
      desk.close();
    }
    CheckpointStore opened = store;
    if (opened != null) {
      try {
        opened.close();
      } catch (IOException e) {
        LOG.warn("The store was not closed in order", e);
      }
    }
  }
}
