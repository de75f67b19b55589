package io.cairn.lab.bench.collaborative;

import io.cairn.core.flow.Topology;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.DeskTerms;
import io.cairn.core.sharing.HolderSite;
import io.cairn.engine.net.TcpPeerTransport;
import io.cairn.engine.sharing.desk.DeskHost;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A desk over sockets for a machine that is played, whose scheduler can be switched. Its devices
 * register in their order.
 */
final class SwitchedDesk implements AutoCloseable {
  private static final String ADDRESS = "127.0.0.1";
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final DeskTerms TERMS = new DeskTerms(TimeUnit.SECONDS.toNanos(10), 16, 1000);

  private final PlayedMachine machine;
  private final SwitchedScheduler scheduler = new SwitchedScheduler();
  private final DeskHost host;
  private final TcpPeerTransport transport;

  /** Serves at once. */
  SwitchedDesk(PlayedMachine machine) throws IOException {
    this.machine = machine;
    host = new DeskHost(TERMS, this::link, scheduler);
    CompletableFuture<PeerTransport> opened = new CompletableFuture<>();
    transport =
        TcpPeerTransport.open(
            ADDRESS,
            0,
            CoordinatorBenchmark.SECRET,
            host.service(
                (holder, message) -> {
                  var unused = opened.thenCompose(peers -> peers.ask(holder, message));
                }),
            PeerLimits.DEFAULT);
    opened.complete(transport);
  }

  private Topology link(List<HolderSite> sites) {
    for (int device = 0; device < sites.size(); device++) {
      if (sites.get(device).device() != device) {
        throw new IllegalArgumentException("devices did not register in their order: " + sites);
      }
    }
    return machine.topology();
  }

  /**
   * Waits until so many devices are registered.
   *
   * @throws IOException if they are not in time
   */
  void awaitDevices(int devices) throws IOException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (host.holders().toCompletableFuture().join() < devices) {
      if (deadline - System.nanoTime() < 0) {
        throw new IOException("not all of " + devices + " devices are registered");
      }
      LockSupport.parkNanos(this, POLL_NANOS);
    }
  }

  int port() {
    return transport.address().port();
  }

  SwitchedScheduler scheduler() {
    return scheduler;
  }

  @Override
  public void close() {
    transport.close();
    host.close();
  }
}
