package io.cairn.engine.runtime;

import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.CopyCounter;
import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.Topology;
import io.cairn.core.peer.LoopbackPeers;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.DeskTerms;
import io.cairn.engine.sharing.Sharing;
import io.cairn.engine.sharing.SharingTerms;
import io.cairn.engine.sharing.desk.DeskHost;
import io.cairn.engine.sharing.peer.HolderId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** Ranks on one machine that share their device memory, and what a test may do to their peers. */
final class SharedMachine implements AutoCloseable {
  private static final SharingTerms TERMS =
      new SharingTerms(Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(5), 100);

  /** Waits for all ranks of a group; the first time only those without room ask. */
  private static final long DESK_WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final LoopbackPeers network = new LoopbackPeers(7);
  private final DeskHost desk =
      new DeskHost(
          new DeskTerms(DESK_WINDOW_NANOS, 100, 1000),
          holders -> Topology.builder(holders.size()).linkAll(1e9).host(1).build(),
          new ParametricFlowScheduler(true, false));
  private final List<ChunkCache> caches = new ArrayList<>();
  private final List<CopyCounter> copiesAtPeers = new ArrayList<>();
  private final List<Sharing> sharings = new ArrayList<>();
  private final Duration patience;
  private final PeerTransport deskTransport;
  private final Ranks ranks;

  /**
   * Opens the ranks.
   *
   * @param patience of the ranks' transports
   * @param lending changes how the first rank serves its peers
   * @param settings of each rank
   */
  SharedMachine(
      Path root, Duration patience, UnaryOperator<PeerService> lending, String[]... settings)
      throws IOException {
    this.patience = patience;
    this.deskTransport =
        network.open(desk.service((holder, message) -> ask(holder, message)), patience);
    this.ranks = new Ranks(root, List.of(settings));
    for (int rank = 0; rank < settings.length; rank++) {
      share(rank, rank == 0 ? lending : UnaryOperator.identity());
    }
  }

  private void share(int rank, UnaryOperator<PeerService> serving) throws IOException {
    CopyCounter atPeers = new CopyCounter();
    ranks
        .cairn(rank)
        .share(
            (cache, memory, threads) -> {
              Sharing sharing =
                  new Sharing(
                      TERMS,
                      "rank " + rank,
                      cache,
                      atPeers.count(memory),
                      "here",
                      rank,
                      deskTransport.address(),
                      service -> network.open(serving.apply(service), patience),
                      threads);
              caches.add(cache);
              copiesAtPeers.add(atPeers);
              sharings.add(sharing);
              return sharing;
            });
  }

  Ranks ranks() {
    return ranks;
  }

  ChunkCache cache(int rank) {
    return caches.get(rank);
  }

  /** The bytes that a rank copied to and from the memory of its peers. */
  CopyCounter copiesAtPeers(int rank) {
    return copiesAtPeers.get(rank);
  }

  Sharing sharing(int rank) {
    return sharings.get(rank);
  }

  PeerAddress address(int rank) {
    return HolderId.parse(sharings.get(rank).holder()).address();
  }

  /** A rank's peers hear nothing of it any more, and it nothing of them. */
  void cutOff(int rank) {
    network.kill(address(rank));
  }

  /** A stranger's question. */
  CompletionStage<byte[]> ask(PeerAddress peer, byte[] question) {
    return deskTransport.ask(peer, question);
  }

  long lentFlushedBytes(int rank) {
    return ranks.cairn(rank).counters().snapshot().getOrDefault("lent.flushed.bytes", 0L);
  }

  @Override
  public void close() throws IOException {
    ranks.close();
    deskTransport.close();
    desk.close();
  }
}
