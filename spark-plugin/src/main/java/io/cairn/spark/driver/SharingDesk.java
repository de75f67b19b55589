package io.cairn.spark.driver;

import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.topology.NvidiaSmiTopology;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.DeskPlan;
import io.cairn.core.sharing.DeskTerms;
import io.cairn.core.wire.PeerRequest;
import io.cairn.engine.config.SharingSettings;
import io.cairn.engine.sharing.desk.DeskHost;
import io.cairn.engine.sharing.desk.SiteTopology;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The desk, which plans where chunks go that do not fit their executor's cache. {@link DriverPort}
 * serves it.
 */
final class SharingDesk implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SharingDesk.class);
  private static final int MOST_WINDOWS = 1000;
  private static final int MOST_REPORTS = 100_000;

  private final SiteTopology topology;
  private final DeskHost desk;

  /** The way to the holders; they are known only after it is. */
  private volatile @Nullable PeerTransport way;

  /** A desk to which Spark reports lost executors. */
  SharingDesk(SharingSettings settings, SparkContext spark) {
    this.topology = new SiteTopology(settings.everywhere(), settings.hostBytes() > 0);
    DeskTerms terms =
        new DeskTerms(
            settings.window().toNanos(),
            Math.max(settings.window().toNanos(), settings.patience().toNanos() / 2),
            MOST_WINDOWS,
            MOST_REPORTS);
    this.desk = new DeskHost(terms, topology, new ParametricFlowScheduler(true, false));
    desk.notifyBy(this::send);
    spark.addSparkListener(
        new SparkListener() {
          @Override
          public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
            desk.gone(removed.executorId());
          }
        });
  }

  private void send(PeerAddress holder, byte[] message) {
    PeerTransport known = way;
    if (known == null) {
      LOG.warn("{} is not sent a message: the driver's port is not open", holder);
      return;
    }
    var unused =
        known
            .ask(holder, message)
            .whenComplete(
                (answer, failure) -> {
                  if (failure != null) {
                    LOG.warn("{} did not receive a message of the desk", holder, failure);
                  }
                });
  }

  /** Sends each plan to this observer from now on, on the desk's thread. */
  void observe(Consumer<DeskPlan> plans) {
    desk.observe(plans);
  }

  /** Answers a holder, as {@link DeskHost#answer(PeerRequest)}. */
  CompletionStage<byte[]> answer(PeerRequest request) {
    return desk.answer(request);
  }

  /** Sends messages to holders through this transport from now on. */
  void sendThrough(PeerTransport transport) {
    way = transport;
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
  }
}
