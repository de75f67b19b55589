package io.cairn.spark.driver;

import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.topology.NvidiaSmiTopology;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.DeskTerms;
import io.cairn.engine.config.SharingSettings;
import io.cairn.engine.sharing.desk.DeskHost;
import io.cairn.engine.sharing.desk.SiteTopology;
import io.cairn.spark.peer.PeerSecurity;
import io.cairn.spark.peer.SparkPeerTransport;
import io.cairn.spark.settings.SparkSettings;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The desk, which plans where chunks go that do not fit their executor's cache. Serves on a port of
 * its own: an answer waits for the reports of other executors, and Spark's single thread for plugin
 * messages must not wait.
 */
final class SharingDesk implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SharingDesk.class);
  private static final int MOST_WINDOWS = 1000;
  private static final int MOST_REPORTS = 100_000;

  private final SiteTopology topology;
  private final DeskHost desk;
  private final PeerTransport transport;

  private SharingDesk(SiteTopology topology, DeskHost desk, PeerTransport transport) {
    this.topology = topology;
    this.desk = desk;
    this.transport = transport;
  }

  /**
   * Opens the desk, which serves at once.
   *
   * @throws IOException naming host and port, if they cannot be bound
   */
  static SharingDesk open(SharingSettings settings, SparkContext spark) throws IOException {
    SiteTopology topology = new SiteTopology(settings.everywhere(), settings.hostBytes() > 0);
    DeskTerms terms =
        new DeskTerms(
            settings.window().toNanos(),
            Math.max(settings.window().toNanos(), settings.patience().toNanos() / 2),
            MOST_WINDOWS,
            MOST_REPORTS);
    DeskHost desk = new DeskHost(terms, topology, new ParametricFlowScheduler(true, false));
    AtomicReference<PeerTransport> way = new AtomicReference<>();
    PeerTransport transport;
    try {
      transport = serve(settings.deskPort(), desk, way, spark);
    } catch (IOException | RuntimeException e) {
      desk.close();
      throw e;
    }
    way.set(transport);
    spark.addSparkListener(
        new SparkListener() {
          @Override
          public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
            desk.gone(removed.executorId());
          }
        });
    return new SharingDesk(topology, desk, transport);
  }

  private static PeerTransport serve(
      int port, DeskHost desk, AtomicReference<PeerTransport> way, SparkContext spark)
      throws IOException {
    return SparkPeerTransport.openWithin(
        spark.conf().get("spark.driver.host"),
        port,
        SparkSettings.portRetries(spark.conf()),
        desk.service(
            (holder, message) ->
                way.get()
                    .ask(holder, message)
                    .whenComplete(
                        (answer, failure) -> {
                          if (failure != null) {
                            LOG.warn("{} did not receive a message of the desk", holder, failure);
                          }
                        })),
        PeerSecurity.of(spark.conf(), SparkEnv.get().securityManager()));
  }

  /** The address of the desk, as {@code host:port}. */
  String address() {
    return transport.address().toString();
  }

  /** Takes the links of a machine's devices, as {@code nvidia-smi topo -m} prints them. */
  void learn(String machine, String links) {
    try {
      topology.learn(machine, NvidiaSmiTopology.parse(links));
    } catch (IllegalArgumentException e) {
      LOG.warn("The links of the devices of {} are not understood", machine, e);
    }
  }

  @Override
  public void close() {
    desk.close();
    try {
      transport.close();
    } catch (Exception e) {
      LOG.warn("The desk's transport was not closed in order", e);
    }
  }
}
