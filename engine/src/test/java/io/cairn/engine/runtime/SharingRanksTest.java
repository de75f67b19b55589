package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.Topology;
import io.cairn.core.peer.LoopbackPeers;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.DeskTerms;
import io.cairn.core.sharing.HolderSite;
import io.cairn.engine.sharing.Sharing;
import io.cairn.engine.sharing.SharingTerms;
import io.cairn.engine.sharing.desk.DeskHost;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ranks of which some have less device memory than their state takes. */
@Timeout(60)
class SharingRanksTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final SharingTerms TERMS =
      new SharingTerms(PATIENCE, Duration.ofSeconds(20), Duration.ofSeconds(5), 100);

  /** A rank's state takes six chunks. */
  private static final String[] ROOMY = {"device.cacheSize", "1m"};

  private static final String[] TIGHT = {"device.cacheSize", "12k"};

  @TempDir Path root;

  private final LoopbackPeers network = new LoopbackPeers(7);
  private final DeskHost desk =
      new DeskHost(
          new DeskTerms(TimeUnit.SECONDS.toNanos(2), 100, 1000),
          SharingRanksTest::topology,
          new ParametricFlowScheduler(true, false));
  private PeerTransport deskTransport;

  private static Topology topology(List<HolderSite> holders) {
    return Topology.builder(holders.size()).linkAll(1e9).host(1).build();
  }

  @BeforeEach
  void serve() {
    deskTransport =
        network.open(
            desk.service((holder, message) -> deskTransport.ask(holder, message)), PATIENCE);
  }

  @AfterEach
  void close() throws Exception {
    deskTransport.close();
    desk.close();
  }

  private void share(CairnEngine cairn, int device) throws IOException {
    cairn.share(
        (cache, memory, threads) ->
            new Sharing(
                TERMS,
                "rank " + device,
                cache,
                memory,
                "here",
                device,
                deskTransport.address(),
                service -> network.open(service, PATIENCE),
                threads));
  }

  private Ranks ranks(String[]... settings) throws IOException {
    Ranks ranks = new Ranks(root, List.of(settings));
    for (int rank = 0; rank < settings.length; rank++) {
      share(ranks.cairn(rank), rank);
    }
    return ranks;
  }

  private static long skipped(Ranks ranks, int rank) {
    return ranks.cairn(rank).counters().count(Level.DEVICE, Outcome.Skipped.class);
  }

  /** Takes the steps together, so that no rank is far ahead. */
  private static CheckpointTicket train(
      Toy toy, Checkpointer checkpointer, CyclicBarrier together, long from, long to)
      throws Exception {
    CheckpointTicket last = null;
    for (long i = from; i < to; i++) {
      toy.step(i);
      together.await();
      last = checkpointer.checkpoint(i);
      assertThat(last.captured().join()).isInstanceOf(Outcome.Captured.class);
      assertThat(last.sealed(Level.DEVICE).join()).isInstanceOf(Outcome.Sealed.class);
    }
    return Objects.requireNonNull(last);
  }

  @Test
  void chunksThatExceedTheCacheLieAtAPeerAndAreRestored() throws Exception {
    CyclicBarrier together = new CyclicBarrier(2);
    try (Ranks ranks = ranks(ROOMY, TIGHT)) {
      List<RestoreReport> reports =
          ranks.each(
              (rank, checkpointer) -> {
                Toy toy = Ranks.toy(rank);
                toy.protectBy(checkpointer);
                train(toy, checkpointer, together, 0, 9).sealed(Level.STORE).join();
                toy.step(1000);
                RestoreReport report = checkpointer.restore().orElseThrow();
                assertThat(toy).isEqualTo(Ranks.undisturbed(rank, 9));
                assertThat(report.id().label()).isEqualTo("e1-i8");
                return report;
              });
      assertThat(reports).extracting(RestoreReport::level).containsOnly(Level.DEVICE);
      assertThat(skipped(ranks, 0) + skipped(ranks, 1)).isZero();
    }
  }
}
