package io.cairn.benchmarks.collaborative;

import io.cairn.core.flow.Topology;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.DeskTerms;
import io.cairn.core.sharing.HolderSite;
import io.cairn.engine.sharing.DeskHost;
import io.cairn.spark.peer.PeerLimits;
import io.cairn.spark.peer.PeerSecurity;
import io.cairn.spark.peer.SparkPeerTransport;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A desk over sockets for a machine that is played, whose scheduler can be switched. */
final class SwitchedDesk implements AutoCloseable {
  private static final String ADDRESS = "127.0.0.1";
  private static final DeskTerms TERMS = new DeskTerms(TimeUnit.SECONDS.toNanos(10), 16, 1000);

  private final PlayedMachine machine;
  private final SwitchedScheduler scheduler = new SwitchedScheduler();
  private final DeskHost host;
  private final SparkPeerTransport transport;
  private volatile List<Integer> order = List.of();

  /** Serves at once. */
  SwitchedDesk(PlayedMachine machine) throws IOException {
    this.machine = machine;
    host = new DeskHost(TERMS, this::link, scheduler);
    CompletableFuture<PeerTransport> opened = new CompletableFuture<>();
    transport =
        SparkPeerTransport.open(
            ADDRESS,
            0,
            host.service(
                (holder, message) -> {
                  var unused = opened.thenCompose(peers -> peers.ask(holder, message));
                }),
            PeerSecurity.NONE,
            PeerLimits.DEFAULT);
    opened.complete(transport);
  }

  /** Holders register in any order, and the machine's links follow it. */
  private Topology link(List<HolderSite> sites) {
    order = sites.stream().map(HolderSite::device).toList();
    return machine.topology(order);
  }

  int port() {
    return transport.address().port();
  }

  SwitchedScheduler scheduler() {
    return scheduler;
  }

  /** The machine's device of each device of what was scheduled last. */
  List<Integer> order() {
    return order;
  }

  @Override
  public void close() {
    transport.close();
    host.close();
  }
}
