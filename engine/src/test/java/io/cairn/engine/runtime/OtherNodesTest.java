package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.RestoreReport;
import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.Topology;
import io.cairn.core.peer.LoopbackPeers;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.DeskTerms;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.sharing.desk.DeskHost;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ranks that come back on other machines, whose nodes have the newest checkpoints. */
@Timeout(120)
class OtherNodesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final int CHUNK_BYTES = 4096;

  /** Chunks are read after header, trailer and index. */
  private static final int READS_BEFORE_CHUNKS = 3;

  @TempDir Path root;

  private final LoopbackPeers network = new LoopbackPeers(5);
  private final DeskHost desk =
      new DeskHost(
          new DeskTerms(1, 100, 1000),
          holders -> Topology.builder(holders.size()).linkAll(1e9).host(1).build(),
          new ParametricFlowScheduler(true, false));
  private PeerTransport deskTransport;

  @BeforeEach
  void serve() {
    deskTransport = network.open(desk.service((holder, message) -> {}), PATIENCE);
  }

  @AfterEach
  void close() {
    deskTransport.close();
    desk.close();
  }

  /** Ranks that read each other's nodes, which these services serve. */
  private Ranks ranks(UnaryOperator<PeerService> serving) throws IOException {
    Ranks ranks = new Ranks(root.resolve("later"), 2);
    for (int rank = 0; rank < 2; rank++) {
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

  /**
   * Trains until STORE has iteration 4 and NODE has iteration 6. The files as they are then lie
   * below {@code later}, where each machine has the node directory of the other one.
   */
  private void trainAndSwap() throws Exception {
    Files.createDirectory(root.resolve("earlier"));
    CountDownLatch sealed = new CountDownLatch(2);
    CountDownLatch copied = new CountDownLatch(1);
    try (Ranks ranks = new Ranks(root.resolve("earlier"), 2, "keep", "100")) {
      Ranks.Work<Boolean> work =
          (rank, checkpointer) -> {
            Toy toy = Ranks.toy(rank);
            toy.protectBy(checkpointer);
            toy.run(checkpointer, 0, 5).sealed(Level.STORE).join();
            toy.run(checkpointer, 5, 7).sealed(Level.NODE).join();
            sealed.countDown();
            return copied.await(1, TimeUnit.MINUTES);
          };
      List<Future<Boolean>> running = List.of(ranks.start(0, work), ranks.start(1, work));
      assertThat(sealed.await(1, TimeUnit.MINUTES)).isTrue();

      copy("store", "store");
      copy("machine-0/node", "machine-1/node");
      copy("machine-1/node", "machine-0/node");

      copied.countDown();
      for (Future<Boolean> each : running) {
        assertThat(Ranks.result(each)).isTrue();
      }
    }
  }

  /** Copies a directory in use: the mark of an earlier seal may be deleted meanwhile. */
  private void copy(String from, String to) throws IOException {
    Path source = root.resolve("earlier").resolve(from);
    Path target = root.resolve("later").resolve(to);
    Files.createDirectories(target.getParent());
    Files.walkFileTree(
        source,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectory(target.resolve(source.relativize(directory)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            try {
              Files.copy(file, target.resolve(source.relativize(file)));
              return FileVisitResult.CONTINUE;
            } catch (NoSuchFileException e) {
              return visitFileFailed(file, e);
            }
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException && file.toString().endsWith(".sealed")) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }
        });
  }

  private static RestoreReport restore(int rank, Checkpointer checkpointer) {
    Toy toy = new Toy();
    toy.protectBy(checkpointer);
    RestoreReport report = checkpointer.restore().orElseThrow();
    assertThat(toy).isEqualTo(Ranks.undisturbed(rank, report.id().iteration() + 1));
    return report;
  }

  private static long counter(Ranks ranks, int rank, String name) {
    return ranks.cairn(rank).counters().snapshot().getOrDefault(name, 0L);
  }

  /** Restores both ranks; all reports name one checkpoint and level. */
  private static void assertRestored(Ranks ranks, String label, Level level) throws Exception {
    List<RestoreReport> reports = ranks.each(OtherNodesTest::restore);

    assertThat(reports).extracting(report -> report.id().label()).containsOnly(label);
    assertThat(reports).extracting(RestoreReport::level).containsOnly(level);
  }

  @Test
  void ranksThatSwapMachinesGoOnFromNode() throws Exception {
    trainAndSwap();

    try (Ranks ranks = ranks(UnaryOperator.identity())) {
      List<RestoreReport> reports = ranks.each(OtherNodesTest::restore);

      assertThat(reports).extracting(report -> report.id().label()).containsOnly("e1-i6");
      assertThat(reports).extracting(RestoreReport::level).containsOnly(Level.NODE);
      for (int rank = 0; rank < 2; rank++) {
        assertThat(reports.get(rank).source()).contains("machine-" + (1 - rank));
        // each chunk once, and what describes them
        assertThat(counter(ranks, rank, "node.read.bytes"))
            .isBetween(reports.get(rank).bytes(), 2 * reports.get(rank).bytes() - 1)
            .isEqualTo(counter(ranks, 1 - rank, "node.served.bytes"));
      }
    }
  }

  @Test
  void withoutOtherNodesTheSameRanksGoOnFromStore() throws Exception {
    trainAndSwap();

    try (Ranks ranks = new Ranks(root.resolve("later"), 2)) {
      assertRestored(ranks, "e1-i4", Level.STORE);
    }
  }

  /** Its first process lives on without the rank, like an executor whose task Spark gave up. */
  @Test
  void aGroupOfOneThatComesBackOnAnotherMachineGoesOnFromNode() throws Exception {
    Files.createDirectory(root.resolve("later"));
    try (Ranks ranks = ranks(UnaryOperator.identity());
        Checkpointer lost = ranks.cairn(0).join("alone");
        Checkpointer again = joinedLater(lost, ranks.cairn(1))) {
      Toy toy = new Toy();
      toy.protectBy(again);

      RestoreReport report = again.restore().orElseThrow();

      assertThat(toy).isEqualTo(Toy.undisturbed(7));
      assertThat(report.level()).isEqualTo(Level.NODE);
      assertThat(report.source()).contains("machine-0");
    }
  }

  /** The rank on another machine, after NODE of the first one had iteration 6, and STORE 4. */
  private static Checkpointer joinedLater(Checkpointer first, CairnEngine other) {
    Toy toy = new Toy();
    toy.protectBy(first);
    toy.run(first, 0, 5).sealed(Level.STORE).join();
    toy.run(first, 5, 7).sealed(Level.NODE).join();
    return other.join("alone");
  }

  @Test
  void anotherBirthOfTheGroupIsNotRestored() throws Exception {
    trainAndSwap();
    Files.move(root.resolve("later/store/test"), root.resolve("deleted"));

    try (Ranks ranks = ranks(UnaryOperator.identity())) {
      List<Boolean> restored =
          ranks.each(
              (rank, checkpointer) -> {
                new Toy().protectBy(checkpointer);
                return checkpointer.restore().isPresent();
              });

      assertThat(restored).containsOnly(false);
    }
  }

  @Test
  void aNodeThatIsLostDuringAReadCostsItsCopiesOnly() throws Exception {
    trainAndSwap();

    try (Ranks ranks = ranks(OtherNodesTest::lostAtChunks)) {
      assertRestored(ranks, "e1-i4", Level.STORE);
    }
  }

  /** Answers nothing any more from the first chunk on. */
  private static PeerService lostAtChunks(PeerService service) {
    AtomicInteger reads = new AtomicInteger();
    return answering(
        service,
        (question, answer) -> {
          if (question instanceof PeerRequest.ReadNode) {
            reads.incrementAndGet();
          }
          return reads.get() > READS_BEFORE_CHUNKS
              ? CompletableFuture.failedFuture(new IOException("lost"))
              : answer;
        });
  }

  @Test
  void wrongBytesFromANodeAreNotRestored() throws Exception {
    trainAndSwap();

    try (Ranks ranks = ranks(OtherNodesTest::damagingChunks)) {
      assertRestored(ranks, "e1-i4", Level.STORE);
    }
  }

  private static PeerService damagingChunks(PeerService service) {
    return answering(
        service,
        (question, answer) ->
            question instanceof PeerRequest.ReadNode read && read.bytes() == CHUNK_BYTES
                ? answer.thenApply(OtherNodesTest::damaged)
                : answer);
  }

  private static byte[] damaged(byte[] answer) {
    answer[answer.length - 77] ^= 1;
    return answer;
  }

  private static PeerService answering(
      PeerService service,
      BiFunction<PeerRequest, CompletionStage<byte[]>, CompletionStage<byte[]>> change) {
    return new PeerService() {
      @Override
      public CompletionStage<byte[]> answer(byte[] question) {
        return change.apply(Wire.decode(question, PeerRequest.class), service.answer(question));
      }

      @Override
      public PeerSink receive(byte[] header, long bytes) throws IOException {
        return service.receive(header, bytes);
      }
    };
  }
}
