package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CairnEvent;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.Topology;
import io.cairn.core.peer.LoopbackPeers;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.sharing.DeskPlan;
import io.cairn.core.sharing.DeskTerms;
import io.cairn.engine.sharing.Sharing;
import io.cairn.engine.sharing.SharingTerms;
import io.cairn.engine.sharing.desk.DeskHost;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ranks on one machine whose state takes six chunks, and lenders that are absent, or die. */
@Timeout(60)
class LostLendersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final SharingTerms TERMS =
      new SharingTerms(
          PATIENCE,
          Duration.ofSeconds(20),
          Duration.ofSeconds(5),
          100,
          Duration.ofSeconds(10),
          Duration.ofSeconds(1),
          Duration.ofMillis(100));
  private static final String[] ROOMY = settings("1m");
  private static final String[] TIGHT = settings("12k");

  @TempDir Path root;

  private final LoopbackPeers network = new LoopbackPeers(7);
  private final DeskHost desk =
      new DeskHost(
          new DeskTerms(TimeUnit.MILLISECONDS.toNanos(200), 100, 1000),
          holders -> Topology.builder(holders.size()).linkAll(1e9).host(1).build(),
          new ParametricFlowScheduler(true, false));
  private final Map<Integer, PeerTransport> transports = new ConcurrentHashMap<>();
  private final Map<Integer, DeviceMemory> memories = new ConcurrentHashMap<>();
  private final Map<Integer, Sharing> sharings = new ConcurrentHashMap<>();

  /** Runs once, before the next copy to a lender's memory. */
  private final Queue<Runnable> beforeCopy = new ConcurrentLinkedQueue<>();

  private PeerTransport deskTransport;

  private static String[] settings(String cacheSize) {
    return new String[] {"device.cacheSize", cacheSize, "node.every", "1", "store.every", "2"};
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

  private void share(Ranks ranks, int rank) {
    try {
      ranks
          .cairn(rank)
          .share(
              (cache, memory, threads) -> {
                memories.put(rank, memory);
                Sharing sharing =
                    new Sharing(
                        TERMS,
                        "rank " + rank,
                        cache,
                        struck(memory),
                        "here",
                        rank,
                        deskTransport.address(),
                        service -> {
                          PeerTransport opened = network.open(service, PATIENCE);
                          transports.put(rank, opened);
                          return opened;
                        },
                        threads);
                sharings.put(rank, sharing);
                return sharing;
              });
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private DeviceMemory struck(DeviceMemory below) {
    return (DeviceMemory)
        Proxy.newProxyInstance(
            DeviceMemory.class.getClassLoader(),
            new Class<?>[] {DeviceMemory.class},
            (proxy, called, arguments) -> {
              if (called.getName().equals("copyAndChecksumAsync")) {
                Optional.ofNullable(beforeCopy.poll()).ifPresent(Runnable::run);
              }
              try {
                return called.invoke(below, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** The desk lends what a holder reported only once it is registered. */
  private void awaitLenders(int count) {
    while (desk.holders().toCompletableFuture().join() < count) {
      Thread.onSpinWait();
    }
  }

  /** As the operating system shows a process that was killed. */
  private void die(int rank) {
    network.kill(Objects.requireNonNull(transports.get(rank)).address());
    Objects.requireNonNull(memories.get(rank)).close();
  }

  private static List<CairnEvent> fallBacks(Ranks ranks, int rank) {
    List<CairnEvent> events = new CopyOnWriteArrayList<>();
    ranks
        .cairn(rank)
        .observers()
        .add(
            event -> {
              if (event instanceof CairnEvent.FellBack
                  || event instanceof CairnEvent.HasRoomAgain) {
                events.add(event);
              }
            });
    return events;
  }

  private void assertRestores(Level level, long iterations) throws Exception {
    try (Ranks ranks = new Ranks(root, List.of(ROOMY, ROOMY))) {
      List<RestoreReport> reports =
          ranks.each(
              (rank, checkpointer) -> {
                Toy toy = new Toy();
                toy.protectBy(checkpointer);
                RestoreReport report = checkpointer.restore().orElseThrow();
                assertThat(toy).isEqualTo(Ranks.undisturbed(rank, iterations));
                return report;
              });
      assertThat(reports).extracting(RestoreReport::level).containsOnly(level);
    }
  }

  /** Both ranks train on together; the last ticket of each settles at STORE. */
  private static List<Outcome> train(Ranks ranks, long iterations) throws Exception {
    CyclicBarrier together = new CyclicBarrier(2);
    return ranks.each(
        (rank, checkpointer) -> {
          Toy toy = Ranks.toy(rank);
          toy.protectBy(checkpointer);
          CheckpointTicket last = null;
          for (long i = 0; i < iterations; i++) {
            toy.step(i);
            together.await();
            last = checkpointer.checkpoint(i);
            last.captured().join();
          }
          return Objects.requireNonNull(last).sealed(Level.STORE).join();
        });
  }

  @Test
  void aGroupWhoseLendersAreGoneForEverIsSealedBelowDevice() throws Exception {
    try (Ranks ranks = new Ranks(root, List.of(TIGHT, TIGHT))) {
      share(ranks, 0);
      share(ranks, 1);
      List<CairnEvent> events = fallBacks(ranks, 1);

      List<Outcome> atStore = train(ranks, 9);

      assertThat(atStore).containsOnly(new Outcome.Sealed(Level.STORE));
      assertThat(events).hasSize(1).first().isInstanceOf(CairnEvent.FellBack.class);
      assertThat(ranks.cairn(0).counters().count(Level.DEVICE, Outcome.Sealed.class)).isZero();
    }
    assertRestores(Level.NODE, 9);
    for (int rank = 0; rank < 2; rank++) {
      Files.move(root.resolve("machine-" + rank + "/node"), root.resolve("lost-" + rank));
    }
    assertRestores(Level.STORE, 9);
  }

  /** The first rank captures at DEVICE, and its lent slots cannot be reached. */
  @Test
  void aRankWithoutLendersIsSealedWithOneThatNeedsNone() throws Exception {
    try (Ranks ranks = new Ranks(root, List.of(ROOMY, TIGHT))) {
      share(ranks, 0);
      share(ranks, 1);
      awaitLenders(2);
      reportSpare(ranks, 0);
      network.kill(Objects.requireNonNull(transports.get(0)).address());

      List<Outcome> atStore = train(ranks, 9);

      assertThat(atStore).containsOnly(new Outcome.Sealed(Level.STORE));
    }
    assertRestores(Level.NODE, 9);
  }

  @Test
  void aLenderThatArrivesEndsTheFallBack() throws Exception {
    try (Ranks ranks = new Ranks(root, List.of(ROOMY, TIGHT))) {
      share(ranks, 1);
      awaitLenders(1);
      List<CairnEvent> events = fallBacks(ranks, 1);
      try (Checkpointer checkpointer = ranks.cairn(1).join("alone", 0, 1)) {
        Toy toy = Ranks.toy(1);
        toy.protectBy(checkpointer);
        CheckpointTicket straight = toy.run(checkpointer, 0, 4);
        assertThat(straight.sealed(Level.NODE).join()).isEqualTo(new Outcome.Sealed(Level.NODE));
        assertThat(events).hasSize(1);

        share(ranks, 0);
        long iteration = 4;
        while (events.size() < 2) {
          toy.run(checkpointer, iteration, iteration + 1);
          iteration++;
        }

        CheckpointTicket lent = toy.run(checkpointer, iteration, iteration + 1);
        assertThat(lent.sealed(Level.DEVICE).join()).isEqualTo(new Outcome.Sealed(Level.DEVICE));
        toy.step(1000);
        assertThat(checkpointer.restore().orElseThrow().level()).isEqualTo(Level.DEVICE);
        assertThat(toy).isEqualTo(Ranks.undisturbed(1, iteration + 1));
      }
    }
  }

  /** It can tell the desk nothing, and no other process of the system does. */
  @Test
  void theRemainderAfterALendersDeathIsPlannedForAnother() throws Exception {
    try (Ranks ranks = new Ranks(root, List.of(ROOMY, settings("20k"), ROOMY))) {
      for (int rank = 0; rank < 3; rank++) {
        share(ranks, rank);
      }
      awaitLenders(3);
      reportSpare(ranks, 0);
      reportSpare(ranks, 2);
      CountDownLatch withdrawn = new CountDownLatch(1);
      ranks
          .cairn(1)
          .addObserver(
              event -> {
                if (event instanceof CairnEvent.Withdrawn) {
                  withdrawn.countDown();
                }
              });
      try (Checkpointer checkpointer = ranks.cairn(1).join("alone", 0, 1)) {
        Toy toy = Ranks.toy(1);
        toy.protectBy(checkpointer);
        assertThat(toy.run(checkpointer, 0, 1).sealed(Level.DEVICE).join())
            .isEqualTo(new Outcome.Sealed(Level.DEVICE));
        boolean first = ranks.cairn(0).cacheUse().toCompletableFuture().join().leased() > 0;
        int dead = first ? 0 : 2;
        die(dead);
        withdrawn.await();
        List<DeskPlan> plans = new CopyOnWriteArrayList<>();
        desk.observe(plans::add);

        CheckpointTicket next = toy.run(checkpointer, 1, 2);

        assertThat(next.sealed(Level.DEVICE).join()).isEqualTo(new Outcome.Sealed(Level.DEVICE));
        String lost = Objects.requireNonNull(sharings.get(dead)).holder();
        assertThat(plans)
            .isNotEmpty()
            .allSatisfy(plan -> assertThat(spareChunks(plan, lost)).as(lost).isZero());
        toy.step(1000);
        assertThat(checkpointer.restore().orElseThrow().level()).isEqualTo(Level.DEVICE);
        assertThat(toy).isEqualTo(Ranks.undisturbed(1, 2));
      }
    }
  }

  private static long spareChunks(DeskPlan plan, String holder) {
    return IntStream.range(0, plan.sites().size())
        .filter(device -> plan.sites().get(device).holder().equals(holder))
        .mapToLong(device -> plan.problem().spareChunks(device))
        .sum();
  }

  /** The mapping survives its owner, so the copy itself succeeds. */
  @Test
  void chunksOfALenderThatDiesWhileItIsWrittenGoToAnotherWithinTheCheckpoint() throws Exception {
    try (Ranks ranks = new Ranks(root, List.of(ROOMY, TIGHT, ROOMY))) {
      share(ranks, 0);
      share(ranks, 1);
      awaitLenders(2);
      reportSpare(ranks, 0);
      try (Checkpointer checkpointer = ranks.cairn(1).join("alone", 0, 1)) {
        Toy toy = Ranks.toy(1);
        toy.protectBy(checkpointer);
        assertThat(toy.run(checkpointer, 0, 1).sealed(Level.DEVICE).join())
            .isEqualTo(new Outcome.Sealed(Level.DEVICE));
        beforeCopy.add(
            () -> {
              share(ranks, 2);
              awaitLenders(3);
              reportSpare(ranks, 2);
              die(0);
            });

        CheckpointTicket struck = toy.run(checkpointer, 1, 2);

        assertThat(beforeCopy).isEmpty();
        assertThat(struck.captured().join()).isInstanceOf(Outcome.Captured.class);
        assertThat(struck.sealed(Level.DEVICE).join()).isEqualTo(new Outcome.Sealed(Level.DEVICE));
        toy.step(1000);
        RestoreReport report = checkpointer.restore().orElseThrow();
        assertThat(report.level()).isEqualTo(Level.DEVICE);
        assertThat(report.id().iteration()).isEqualTo(1);
        assertThat(toy).isEqualTo(Ranks.undisturbed(1, 2));
      }
    }
  }

  private void reportSpare(Ranks ranks, int rank) {
    desk.answer(
            new DeskMessage.Spare(
                Objects.requireNonNull(sharings.get(rank)).holder(),
                64,
                ranks.cairn(rank).config().chunkBytes()))
        .toCompletableFuture()
        .join();
  }
}
