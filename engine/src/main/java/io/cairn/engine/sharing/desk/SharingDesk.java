package io.cairn.engine.sharing.desk;

import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.topology.NvidiaSmiTopology;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.DeskPlan;
import io.cairn.core.sharing.DeskTerms;
import io.cairn.core.threads.DaemonThreads;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.engine.config.SharingSettings;
import io.cairn.engine.nodes.NodeName;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The desk of a job, by its settings: plans where chunks go that do not fit their process's cache.
 * Begins without a thread, and without any holder: those of a desk that was lost register here
 * again. It may then plan slots that are lent, which their lender's book does not grant.
 * Thread-safe.
 */
public final class SharingDesk implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SharingDesk.class);
  private static final int MOST_WINDOWS = 1000;
  private static final int MOST_REPORTS = 100_000;

  private final SiteTopology topology;
  private final DeskHost desk;

  /** The way to the holders; they are known only after it is. */
  private volatile @Nullable PeerTransport way;

  /**
   * A desk that nobody reaches yet.
   *
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  public SharingDesk(SharingSettings settings, LongSupplier nanoTime) {
    this(
        settings,
        nanoTime,
        Executors.newSingleThreadScheduledExecutor(DaemonThreads.named(DeskHost.THREAD)));
  }

  /**
   * Likewise.
   *
   * @param thread handles all messages; ends with this
   */
  public SharingDesk(
      SharingSettings settings, LongSupplier nanoTime, ScheduledExecutorService thread) {
    this.topology = new SiteTopology(settings.everywhere(), settings.hostBytes() > 0);
    DeskTerms terms =
        new DeskTerms(
            settings.window().toNanos(),
            Math.max(settings.window().toNanos(), settings.patience().toNanos() / 2),
            MOST_WINDOWS,
            MOST_REPORTS);
    this.desk =
        new DeskHost(terms, topology, new ParametricFlowScheduler(true, false), nanoTime, thread);
    desk.notifyBy(this::send);
  }

  private void send(PeerAddress holder, byte[] message) {
    PeerTransport known = way;
    if (known == null) {
      LOG.warn("{} is not sent a message: the desk's port is not open", holder);
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
  public void observe(Consumer<DeskPlan> plans) {
    desk.observe(plans);
  }

  /** Answers a holder, as {@link DeskHost#answer(byte[])}. */
  public CompletionStage<byte[]> answer(byte[] question) {
    return desk.answer(question);
  }

  /** Sends messages to holders through this transport from now on. */
  public void sendThrough(PeerTransport transport) {
    way = transport;
  }

  /** Removes a process that is known to have ended, as {@link DeskHost#gone}. */
  public void gone(String process) {
    desk.gone(process);
  }

  /** Takes the links between a machine's devices, if a process of it registers with them. */
  public void learn(ExchangeRequest request) {
    if (request instanceof ExchangeRequest.Register process && !process.topology().isEmpty()) {
      String machine = NodeName.machine(process.node());
      try {
        topology.learn(machine, NvidiaSmiTopology.parse(process.topology()));
      } catch (IllegalArgumentException e) {
        LOG.warn("The links of the devices of {} are not understood", machine, e);
      }
    }
  }

  @Override
  public void close() {
    desk.close();
  }
}
