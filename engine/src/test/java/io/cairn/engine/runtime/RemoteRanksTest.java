package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.Topology;
import io.cairn.core.peer.LoopbackPeers;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.sharing.DeskTerms;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.sharing.Sharing;
import io.cairn.engine.sharing.SharingTerms;
import io.cairn.engine.sharing.desk.DeskHost;
import io.cairn.engine.sharing.peer.HolderId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ranks on different machines, of which the second has less device memory than its state takes. */
@Timeout(60)
class RemoteRanksTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Greetings without an answer until a lender counts as dead. */
  private static final int UNANSWERED = 20;

  private static final Duration ROUND = Duration.ofMillis(100);
  private static final SharingTerms TERMS =
      new SharingTerms(
          PATIENCE,
          Duration.ofSeconds(20),
          Duration.ofSeconds(5),
          100,
          ROUND.multipliedBy(UNANSWERED),
          ROUND,
          ROUND);

  /** A rank's state takes six chunks. */
  private static final String[] ROOMY = {"device.cacheSize", "1m"};

  private static final String[] TIGHT = {"device.cacheSize", "12k"};

  @TempDir Path root;

  private final LoopbackPeers network = new LoopbackPeers(11);
  private final DeskHost desk =
      new DeskHost(
          new DeskTerms(TimeUnit.MILLISECONDS.toNanos(200), 100, 1000),
          holders -> Topology.builder(holders.size()).linkAll(1e9).host(1).build(),
          new ParametricFlowScheduler(true, false));
  private final AtomicInteger reports = new AtomicInteger();
  private PeerTransport deskTransport;

  // by rank
  private final List<Sharing> sharings = new ArrayList<>();
  private final List<ChunkCache> caches = new ArrayList<>();
  private final List<PeerTransport> transports = new ArrayList<>();
  private final List<GatedPushes> pushes = new ArrayList<>();

  @BeforeEach
  void serve() {
    PeerService service = desk.service((holder, message) -> deskTransport.ask(holder, message));
    deskTransport = network.open(counting(service), PATIENCE);
  }

  @AfterEach
  void close() {
    pushes.forEach(GatedPushes::release);
    deskTransport.close();
    desk.close();
  }

  /** Counts the borrower's periodic reports. */
  private PeerService counting(PeerService service) {
    return new PeerService() {
      @Override
      public CompletionStage<byte[]> answer(byte[] request) {
        if (Wire.decode(request, PeerRequest.class) instanceof PeerRequest.Desk asked
            && asked.message() instanceof DeskMessage.Spare spare
            && HolderId.parse(spare.holder()).process().equals("on-other")) {
          reports.incrementAndGet();
        }
        return service.answer(request);
      }

      @Override
      public PeerSink receive(byte[] header, long bytes) throws IOException {
        return service.receive(header, bytes);
      }
    };
  }

  private Ranks ranks() throws IOException {
    Ranks ranks = new Ranks(root, List.of(ROOMY, TIGHT));
    share(ranks.cairn(0), "one");
    share(ranks.cairn(1), "other");
    return ranks;
  }

  private void share(CairnEngine cairn, String machine) throws IOException {
    cairn.share(
        (cache, memory, threads) -> {
          Sharing sharing =
              new Sharing(
                  TERMS,
                  "on-" + machine,
                  cache,
                  memory,
                  machine,
                  0,
                  deskTransport.address(),
                  service -> {
                    GatedPushes gated = new GatedPushes(service);
                    pushes.add(gated);
                    PeerTransport transport = network.open(gated, PATIENCE);
                    transports.add(transport);
                    return transport;
                  },
                  threads);
          sharings.add(sharing);
          caches.add(cache);
          return sharing;
        });
  }

  /** Takes the steps together, so that no rank is far ahead. */
  private static CheckpointTicket train(
      Toy toy, Checkpointer checkpointer, CyclicBarrier together, long to) throws Exception {
    CheckpointTicket last = null;
    for (long i = 0; i < to; i++) {
      toy.step(i);
      together.await();
      last = checkpointer.checkpoint(i);
      assertThat(last.captured().join()).isInstanceOf(Outcome.Captured.class);
      assertThat(last.sealed(Level.DEVICE).join()).isInstanceOf(Outcome.Sealed.class);
    }
    return Objects.requireNonNull(last);
  }

  private static void until(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      if (Thread.interrupted()) {
        throw new AssertionError("waited in vain");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  @Test
  void chunksOnAnotherMachineAreRestored() throws Exception {
    CyclicBarrier together = new CyclicBarrier(2);
    try (Ranks ranks = ranks()) {
      List<RestoreReport> reports =
          ranks.each(
              (rank, checkpointer) -> {
                Toy toy = Ranks.toy(rank);
                toy.protectBy(checkpointer);
                train(toy, checkpointer, together, 9).sealed(Level.STORE).join();
                toy.step(1000);
                RestoreReport report = checkpointer.restore().orElseThrow();
                assertThat(toy).isEqualTo(Ranks.undisturbed(rank, 9));
                assertThat(report.id().label()).isEqualTo("e1-i8");
                return report;
              });
      assertThat(reports).extracting(RestoreReport::level).containsOnly(Level.DEVICE);
      assertThat(pushes.get(0).count()).isGreaterThanOrEqualTo(9 * 3);
      assertThat(pushes.get(1).count()).isZero();
    }
  }

  @Test
  void chunksOnAnotherMachineArePromoted() throws Exception {
    CyclicBarrier together = new CyclicBarrier(2);
    try (Ranks ranks = ranks()) {
      ranks.each(
          (rank, checkpointer) -> {
            Toy toy = Ranks.toy(rank);
            toy.protectBy(checkpointer);
            CheckpointTicket last = train(toy, checkpointer, together, 9);
            assertThat(last.sealed(Level.NODE).join()).isInstanceOf(Outcome.Sealed.class);
            return assertThat(last.sealed(Level.STORE).join()).isInstanceOf(Outcome.Sealed.class);
          });
    }
    assertThat(restoreLevels()).containsOnly(Level.NODE);
    for (int rank = 0; rank < 2; rank++) {
      Files.move(root.resolve("machine-" + rank + "/node"), root.resolve("lost-" + rank));
    }
    assertThat(restoreLevels()).containsOnly(Level.STORE);
  }

  /** In new processes. */
  private List<Level> restoreLevels() throws Exception {
    try (Ranks ranks = new Ranks(root, 2)) {
      return ranks.each(
          (rank, checkpointer) -> {
            Toy toy = new Toy();
            toy.protectBy(checkpointer);
            Level level = checkpointer.restore().orElseThrow().level();
            assertThat(toy).isEqualTo(Ranks.undisturbed(rank, 9));
            return level;
          });
    }
  }

  @Test
  void aLenderThatDiesDuringAPushCostsOneCheckpoint() throws Exception {
    try (Ranks ranks = ranks();
        Checkpointer checkpointer = ranks.cairn(1).join("alone", 0, 1)) {
      Toy toy = Ranks.toy(1);
      toy.protectBy(checkpointer);
      toy.step(0);
      CheckpointTicket kept = checkpointer.checkpoint(0);
      assertThat(kept.sealed(Level.STORE).join()).isInstanceOf(Outcome.Sealed.class);
      pushes.get(0).hold();
      toy.step(1);
      CheckpointTicket torn = checkpointer.checkpoint(1);
      pushes.get(0).awaitHeld();
      network.kill(transports.get(0).address());
      pushes.get(0).release();
      assertThat(torn.captured().join()).isInstanceOf(Outcome.Failed.class);
      assertThat(torn.sealed(Level.DEVICE).join()).isNotInstanceOf(Outcome.Sealed.class);
      toy.step(2);
      assertThat(checkpointer.checkpoint(2).captured().join())
          .isNotInstanceOf(Outcome.Captured.class);
      // what the lender had is lost, and nothing of it is kept here
      until(() -> sharings.get(1).leases() == 0);
      until(() -> caches.get(1).freeSlots() == caches.get(1).slots());
      RestoreReport report = checkpointer.restore().orElseThrow();
      assertThat(report.level()).isEqualTo(Level.NODE);
      assertThat(toy).isEqualTo(Ranks.undisturbed(1, 1));
    }
  }

  @Test
  void chunksOfALenderThatDiesDuringAPushGoToAnotherWithinTheCheckpoint() throws Exception {
    strike(() -> network.kill(transports.get(0).address()));
  }

  /** The borrower counts the lender as dead while the push is under way, and does not end it. */
  @Test
  void chunksOfALenderThatFallsSilentDuringAPushGoToAnother() throws Exception {
    strike(
        () -> {
          // the held push holds up answers, too; the round after the last unanswered greeting
          // declares the lender dead, and each round begins with a report
          int before = reports.get();
          until(() -> reports.get() > before + UNANSWERED + 2);
          network.kill(transports.get(0).address());
        });
  }

  /** Strikes the lender in the middle of a push, when another one has come. */
  private void strike(Runnable blow) throws Exception {
    try (Ranks ranks = new Ranks(root, List.of(ROOMY, TIGHT, ROOMY))) {
      share(ranks.cairn(0), "one");
      share(ranks.cairn(1), "other");
      try (Checkpointer checkpointer = ranks.cairn(1).join("alone", 0, 1)) {
        Toy toy = Ranks.toy(1);
        toy.protectBy(checkpointer);
        toy.step(0);
        checkpointer.checkpoint(0).sealed(Level.STORE).join();
        pushes.get(0).hold();
        toy.step(1);
        CheckpointTicket struck = checkpointer.checkpoint(1);
        pushes.get(0).awaitHeld();
        share(ranks.cairn(2), "third");
        until(() -> desk.holders().toCompletableFuture().join() == 3);
        desk.answer(spareOf(2)).toCompletableFuture().join();

        blow.run();
        pushes.get(0).release();

        assertThat(struck.captured().join()).isInstanceOf(Outcome.Captured.class);
        assertThat(struck.sealed(Level.DEVICE).join()).isInstanceOf(Outcome.Sealed.class);
        assertThat(pushes.get(2).count()).isGreaterThanOrEqualTo(3);
        toy.step(1000);
        RestoreReport report = checkpointer.restore().orElseThrow();
        assertThat(report.level()).isEqualTo(Level.DEVICE);
        assertThat(report.id().iteration()).isEqualTo(1);
        assertThat(toy).isEqualTo(Ranks.undisturbed(1, 2));
      }
    }
  }

  private DeskMessage.Spare spareOf(int rank) {
    ChunkCache cache = caches.get(rank);
    return new DeskMessage.Spare(
        sharings.get(rank).holder(), cache.lentSlots().spare(), cache.chunkBytes());
  }

  @Test
  void slotsReturnWhenASenderDiesDuringAPush() throws Exception {
    try (Ranks ranks = ranks();
        Checkpointer checkpointer = ranks.cairn(1).join("alone", 0, 1)) {
      Toy toy = Ranks.toy(1);
      toy.protectBy(checkpointer);
      checkpointer.checkpoint(0).sealed(Level.DEVICE).join();
      pushes.get(0).hold();
      CheckpointTicket torn = checkpointer.checkpoint(1);
      pushes.get(0).awaitHeld();
      assertThat(caches.get(0).lentSlots().count()).isGreaterThanOrEqualTo(3);
      network.kill(transports.get(1).address());
      pushes.get(0).release();
      assertThat(torn.captured().join()).isInstanceOf(Outcome.Failed.class);
      until(() -> caches.get(0).lentSlots().count() == 0);
      assertThat(caches.get(0).freeSlots()).isEqualTo(caches.get(0).slots());
    }
  }
}
