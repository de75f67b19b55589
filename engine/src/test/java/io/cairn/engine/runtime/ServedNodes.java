package io.cairn.engine.runtime;

import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.Topology;
import io.cairn.core.peer.LoopbackPeers;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.DeskTerms;
import io.cairn.engine.sharing.desk.DeskHost;
import java.io.IOException;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** A desk, and a network over which processes serve their nodes to each other. */
final class ServedNodes implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final LoopbackPeers network = new LoopbackPeers(5);
  private final DeskHost desk =
      new DeskHost(
          new DeskTerms(1, 100, 1000),
          holders -> Topology.builder(holders.size()).linkAll(1e9).host(1).build(),
          new ParametricFlowScheduler(true, false));
  private final PeerTransport deskTransport =
      network.open(desk.service((holder, message) -> {}), PATIENCE);

  /** Each rank's process serves a machine of its own. */
  Ranks join(Ranks ranks, int size) throws IOException {
    return join(ranks, size, UnaryOperator.identity());
  }

  /** Like the other, with services that these wrap. */
  Ranks join(Ranks ranks, int size, UnaryOperator<PeerService> serving) throws IOException {
    for (int rank = 0; rank < size; rank++) {
      ranks
          .cairn(rank)
          .joinNodes(
              "process-" + rank,
              "machine-" + rank,
              deskTransport.address(),
              service -> network.open(serving.apply(service), PATIENCE));
    }
    return ranks;
  }

  @Override
  public void close() {
    deskTransport.close();
    desk.close();
  }
}
