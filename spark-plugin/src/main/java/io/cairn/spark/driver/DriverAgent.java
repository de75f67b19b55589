package io.cairn.spark.driver;

import io.cairn.core.model.OpenParts;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.config.OwnDirectories;
import io.cairn.engine.config.StartSettings;
import io.cairn.engine.coordination.CadenceReports;
import io.cairn.engine.net.PeerSecret;
import io.cairn.engine.promotion.NodeDirectory;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.engine.runtime.ProcessInstance;
import io.cairn.engine.runtime.StoreOpening;
import io.cairn.engine.sharing.desk.SharingDesk;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.spark.metrics.ApplicationTotals;
import io.cairn.spark.metrics.CairnMetrics;
import io.cairn.spark.metrics.ProcessTotals;
import io.cairn.spark.ranks.HostNotes;
import io.cairn.spark.ranks.StandbyDesk;
import io.cairn.spark.settings.ApplicationSecret;
import io.cairn.spark.settings.JoinAnswer;
import io.cairn.spark.settings.JoinQuestion;
import io.cairn.spark.settings.SparkSettings;
import io.cairn.spark.ui.Report;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The driver's part: carries the coordinators of coupled groups. Checks the settings before the
 * first executor starts, so that a mistake ends the application at once with its reason. The first
 * join opens the rest, {@link DriverParts}, unless {@code store.required} says that the start does.
 */
public final class DriverAgent implements DriverPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(DriverAgent.class);

  private static final Duration GRACE = Duration.ofSeconds(90);

  private final BarrierStages barriers = new BarrierStages(LOG::warn);
  private final CadenceReports cadenceReports = new CadenceReports();
  private final ApplicationTotals totals = new ApplicationTotals();
  private @Nullable FirstJoin first;
  private @Nullable StandbyDesk standbys;
  private volatile @Nullable CairnEngine own;
  private @Nullable DriverRounds rounds;
  private String application = "an application";

  /** For Spark, by the plugin. */
  public DriverAgent() {
    totals.include(() -> ProcessTotals.withoutRanks("driver"));
  }

  /** An initialised agent, without Spark. */
  DriverAgent(CairnConfig config, CheckpointStore store) throws IOException {
    this();
    first =
        new FirstJoin(
            () -> {
              SharingDesk desk = new SharingDesk(config.sharing(), System::nanoTime);
              return new DriverParts(
                  config, store, desk, groups(config, store, desk), null, Map.of());
            },
            GRACE,
            System::nanoTime);
    DriverParts unused = first.openNow();
  }

  @Override
  public Map<String, String> init(SparkContext spark, PluginContext context) {
    Map<String, String> settings = SparkSettings.from(spark.conf());
    StartSettings known = StartSettings.of(settings);
    DriverRounds seen = DriverRounds.open(spark);
    rounds = seen;
    StandbyDesk waiting = new StandbyDesk(known.standbys());
    standbys = waiting;
    FirstJoin join =
        new FirstJoin(
            () -> open(settings, hasPeers(known, spark), spark, waiting, seen),
            longest(known),
            System::nanoTime);
    first = join;
    Map<String, String> ofExecutors = new HashMap<>();
    ofExecutors.put(SparkSettings.DESK, Boolean.toString(hasPeers(known, spark)));
    if (known.storeAtStart()) {
      ofExecutors.put(SparkSettings.DRIVER, openAtStart(join));
    }
    SparkSettings.packagesOfTheDriver(spark.conf()).ifPresent(LOG::warn);
    spark.addSparkListener(waiting.listener());
    spark.addSparkListener(barriers);
    spark.addSparkListener(new Departures(totals));
    waiting.install();
    HostNotes.use(known.job(), () -> openToLook(settings, spark.hadoopConfiguration()));
    ProcessInstance.openOnDemand(
        new CairnEngine.Opening() { // a lambda would load the engine
          @Override
          public CairnEngine open() throws IOException {
            return openOwn(settings, spark);
          }
        });
    return ofExecutors;
  }

  /** Answers an executor in which a rank joins, or which asks whether one has. */
  @Override
  public Object receive(Object message) {
    JoinAnswer answer =
        first == null
            ? new JoinAnswer.Refused("Cairn's driver part is not initialised")
            : first.answer(JoinQuestion.of(message));
    return answer.message();
  }

  private static boolean hasPeers(StartSettings known, SparkContext spark) {
    return known.serves() && !spark.isLocal();
  }

  /** Two tries of a store, and time for what comes after them. */
  private static Duration longest(StartSettings known) {
    return known.storePatience().multipliedBy(2).plus(GRACE);
  }

  /** Where the driver serves. Spark writes this down, so executors ask for the rest. */
  private static String openAtStart(FirstJoin join) {
    try {
      return String.valueOf(join.openNow().settings().get(SparkSettings.DRIVER));
    } catch (IOException e) {
      join.close(); // Spark does not shut a plugin down whose start failed
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** Opens what executors need; if that fails, nothing stays open. */
  private DriverParts open(
      Map<String, String> checked,
      boolean peers,
      SparkContext spark,
      StandbyDesk waiting,
      DriverRounds seen)
      throws IOException {
    Configuration hadoop = spark.hadoopConfiguration();
    Map<String, String> settings = SparkSettings.withStore(checked, hadoop);
    CairnConfig known = CairnConfig.of(settings);
    try (OpenParts open = new OpenParts()) {
      CheckpointStore store = open.add(openFirst(known, hadoop));
      settings.put(SparkSettings.STORE_IDENTITY, identity(known, store));
      LOG.info("Cairn: job {}, store {}", known.job(), store.describe());
      settings.put(SparkSettings.ROUNDS, Boolean.toString(seen.isSeen()));
      settings.put(SparkSettings.DESK, Boolean.toString(peers));
      settings.put(SparkSettings.SHARING, SparkSettings.shared(known));
      SharingDesk desk = open.add(new SharingDesk(known.sharing(), System::nanoTime));
      desk.observe(seen.plans());
      SecurityManager ofSpark = SparkEnv.get().securityManager();
      String fresh = ApplicationSecret.fresh();
      settings.put(SparkSettings.SECRET, fresh);
      PeerSecret secret = ApplicationSecret.of(spark.conf(), ofSpark, Optional.of(fresh));
      DriverGroups groups = groups(known, store, desk);
      DriverPort port = serve(known, secret, spark, waiting, desk, groups, seen);
      settings.put(SparkSettings.DRIVER, port.address().toString());
      seen.begin(known, cadenceReports);
      SparkSettings.speculation(spark.conf(), spark.isLocal()).ifPresent(LOG::warn);
      spark.addSparkListener(
          new SparkListener() {
            @Override
            public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
              desk.gone(removed.executorId()); // long before its silence is noticed
            }
          });
      return open.keep(new DriverParts(known, store, desk, groups, port, settings));
    }
  }

  /** For a look before the first join, which need not wait for a store that fails. */
  private static CheckpointStore openToLook(Map<String, String> checked, Configuration hadoop)
      throws IOException {
    CairnConfig known = CairnConfig.of(SparkSettings.withStore(checked, hadoop));
    NodeDirectory.requireMounted(known.nodeDirectory(), known.store());
    return CheckpointStores.openUnprobed(known.store(), hadoop, known.storeHadoop());
  }

  private static CheckpointStore openFirst(CairnConfig known, Configuration hadoop)
      throws IOException {
    try {
      OwnDirectories.makeDefaultStore(known.store());
      NodeDirectory.requireMounted(known.nodeDirectory(), known.store());
      return openStore(known, hadoop);
    } catch (IOException e) {
      throw ofStore(known, e);
    }
  }

  private static String identity(CairnConfig known, CheckpointStore store) throws IOException {
    try {
      return new NodeDirectory(known.nodeDirectory(), store).identity();
    } catch (IOException e) {
      throw ofStore(known, e);
    }
  }

  private static IOException ofStore(CairnConfig known, IOException e) {
    return new IOException(
        SparkSettings.PREFIX + "store = " + known.store() + ": " + e.getMessage(), e);
  }

  private static CheckpointStore openStore(CairnConfig known, Configuration hadoop)
      throws IOException {
    return new StoreOpening(
            known.store(),
            () -> CheckpointStores.open(known.store(), hadoop, known.storeHadoop()),
            () -> CheckpointStores.openUnprobed(known.store(), hadoop, known.storeHadoop()),
            known.storePatience())
        .open();
  }

  /** For ranks in the driver; most drivers have none, so they need neither device nor node. */
  private CairnEngine openOwn(Map<String, String> checked, SparkContext spark) throws IOException {
    Configuration hadoop = spark.hadoopConfiguration();
    CairnConfig known = CairnConfig.of(SparkSettings.withStore(checked, hadoop));
    try (OpenParts open = new OpenParts()) {
      CheckpointStore opened = open.add(openFirst(known, hadoop));
      CairnEngine cairn = CairnEngine.open(known, opened);
      cairn.run(spark.applicationId());
      own = cairn;
      totals.include(
          () -> ProcessTotals.of("driver", cairn.counters(), cairn.goodput(), cairn.running()));
      if (rounds != null) {
        rounds.ranksHere(cairn);
      }
      return open.keep(cairn);
    }
  }

  /** Serves executors: without the driver's port, no coupled group could begin. */
  private DriverPort serve(
      CairnConfig known,
      PeerSecret secret,
      SparkContext spark,
      StandbyDesk waiting,
      SharingDesk planning,
      DriverGroups groups,
      DriverRounds seen)
      throws IOException {
    try {
      return DriverPort.open(
          known.driverPort(),
          secret,
          groups.server(),
          waiting,
          planning,
          report -> take(report, seen),
          spark.conf());
    } catch (IOException e) {
      throw new IOException(
          SparkSettings.PREFIX
              + "driver.port = "
              + known.driverPort()
              + ", at spark.driver.bindAddress: "
              + e.getMessage(),
          e);
    }
  }

  private void take(Report report, DriverRounds seen) {
    ProcessTotals counted = report.totals();
    if (counted != null) {
      totals.take(counted);
    }
    seen.take(report);
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
    return parts()
        .orElseThrow(() -> new IllegalStateException("Cairn's driver part is not initialised"))
        .groups()
        .server()
        .answer(request);
  }

  private DriverGroups groups(CairnConfig config, CheckpointStore store, SharingDesk desk) {
    return new DriverGroups(config, store, desk, barriers, cadenceReports, () -> application);
  }

  private Optional<DriverParts> parts() {
    return first == null ? Optional.empty() : first.parts();
  }

  @Override
  public void shutdown() {
    ProcessInstance.openOnDemand(null);
    HostNotes.forget();
    CairnEngine ranks = own;
    if (ranks != null) {
      ranks.close();
    }
    if (rounds != null) {
      rounds.close();
    }
    parts().ifPresent(open -> open.groups().end());
    if (standbys != null) {
      standbys.close();
    }
    if (first != null) {
      first.close();
    }
  }
}
