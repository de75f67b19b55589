package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.cache.chunk.Place;
import io.cairn.cache.memory.CopyCounter;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Level;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.session.CheckpointTicket;
import io.cairn.core.session.Checkpointer;
import io.cairn.core.session.Outcome;
import io.cairn.core.session.RestoreReport;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.sharing.Occupancy;
import io.cairn.core.sharing.SharingWire;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a rank could not keep at home, its lenders write to NODE, or it does so itself. */
@Timeout(60)
class LentFlushTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final byte FLUSH = 4;
  private static final byte FLUSHED = 9;
  private static final byte[] STILL_WRITING = {0};

  private static final String OWN = "writer-r00001.chunks";
  private static final String REST = "writer-r00001-rest.chunks";

  /** A rank's state takes six chunks. */
  private static final int CHUNKS = 6;

  private static final int CHUNK_BYTES = 4096;

  @TempDir Path root;

  private Path node() {
    return root.resolve("node");
  }

  private NodeFiles files() {
    return new NodeFiles(node());
  }

  private String[] roomy() {
    return settings("1m", node());
  }

  private String[] tight() {
    return settings("12k", node());
  }

  private static String[] settings(String cacheSize, Path node) {
    return new String[] {
      "device.cacheSize", cacheSize, "node.dir", node.toString(), "node.every", "1"
    };
  }

  private SharedMachine machine(Duration patience, UnaryOperator<PeerService> lending)
      throws IOException {
    return new SharedMachine(root, patience, lending, roomy(), tight());
  }

  /** What the first rank answers to orders to flush. */
  private interface Lending {
    CompletionStage<byte[]> answer(byte[] order, PeerService lender);
  }

  private static UnaryOperator<PeerService> on(Lending lending) {
    return lender ->
        new PeerService() {
          @Override
          public CompletionStage<byte[]> answer(byte[] question) {
            return question[0] == FLUSH
                ? lending.answer(question, lender)
                : lender.answer(question);
          }

          @Override
          public PeerSink receive(byte[] header, long bytes) throws IOException {
            return lender.receive(header, bytes);
          }
        };
  }

  /** Trains both ranks together; the last ticket of each. */
  private static List<CheckpointTicket> train(SharedMachine machine, long iterations)
      throws Exception {
    CyclicBarrier together = new CyclicBarrier(2);
    return machine
        .ranks()
        .each(
            (rank, checkpointer) -> {
              Toy toy = Ranks.toy(rank);
              toy.protectBy(checkpointer);
              CheckpointTicket last = null;
              for (long i = 0; i < iterations; i++) {
                toy.step(i);
                together.await();
                last = checkpointer.checkpoint(i);
                assertThat(last.captured().join()).isInstanceOf(Outcome.Captured.class);
                assertThat(last.sealed(Level.DEVICE).join()).isInstanceOf(Outcome.Sealed.class);
                last.sealed(Level.STORE).join();
              }
              together.await();
              return Objects.requireNonNull(last);
            });
  }

  /** Both ranks, on Cairns of their own, go back to the end of {@code iterations}. */
  private void assertComesBack(Level level, long iterations) throws Exception {
    try (Ranks ranks = new Ranks(root, List.of(roomy(), roomy()))) {
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

  private static List<String> all(Map<String, List<String>> containers) {
    return containers.values().stream().flatMap(Collection::stream).sorted().toList();
  }

  /** Each chunk is in one container, and the sender's own has no more than fits into its cache. */
  private Map<String, List<String>> requireOnce(long iteration) throws IOException {
    Map<String, List<String>> containers = files().containers(iteration, 1);
    assertThat(all(containers)).hasSize(CHUNKS).doesNotHaveDuplicates();
    assertThat(containers.get(OWN)).hasSizeLessThanOrEqualTo(3);
    return containers;
  }

  @Test
  void lendersWriteWhatTheyHoldAndItComesBackBitForBit() throws Exception {
    try (SharedMachine machine = machine(PATIENCE, UnaryOperator.identity())) {
      for (CheckpointTicket ticket : train(machine, 9)) {
        assertThat(ticket.sealed(Level.NODE).join()).isEqualTo(new Outcome.Sealed(Level.NODE));
        assertThat(ticket.sealed(Level.STORE).join()).isEqualTo(new Outcome.Sealed(Level.STORE));
      }
      Map<String, List<String>> containers = requireOnce(8);
      assertThat(containers).hasSize(2).doesNotContainKey(REST);
      CopyCounter atPeers = machine.copiesAtPeers(1);
      assertThat(machine.lentFlushedBytes(0)).isPositive().isEqualTo(atPeers.bytesToDevice());
      assertThat(atPeers.bytesToHost()).as("the sender's link, used twice").isZero();
      assertThat(machine.lentFlushedBytes(1)).isZero();
    }
    assertThat(files().directories())
        .as("the newest two")
        .containsExactly("e000001-i0000000007", "e000001-i0000000008");
    for (long iteration : new long[] {7, 8}) {
      assertThat(requireOnce(iteration)).hasSize(2);
    }
    assertComesBack(Level.NODE, 9);
    deleteNode();
    assertComesBack(Level.STORE, 9);
  }

  private void deleteNode() throws IOException {
    try (LocalStore store = LocalStore.openForReading(root)) {
      assertThat(store.deleteDirectory("node")).isTrue();
    }
  }

  @Test
  void whatALenderRefusesItsOwnerWrites() throws Exception {
    Lending refusing = (order, lender) -> CompletableFuture.failedFuture(new IOException("no"));
    try (SharedMachine machine = machine(PATIENCE, on(refusing))) {
      train(machine, 5);
      assertThat(requireOnce(4)).containsOnlyKeys(OWN, REST);
      assertThat(machine.lentFlushedBytes(0)).isZero();
      CopyCounter atPeers = machine.copiesAtPeers(1);
      assertThat(atPeers.bytesToHost()).isEqualTo(atPeers.bytesToDevice());
    }
    assertComesBack(Level.NODE, 5);
  }

  @Test
  void whatALenderNeverAnswersItsOwnerWrites() throws Exception {
    Lending silent = (order, lender) -> new CompletableFuture<>();
    try (SharedMachine machine = machine(Duration.ofMillis(1500), on(silent))) {
      train(machine, 3);
      assertThat(requireOnce(2)).containsOnlyKeys(OWN, REST);
    }
    assertComesBack(Level.NODE, 3);
  }

  /** Its memory is mapped, and stays readable. */
  @Test
  void whatALenderCannotBeAskedForItsOwnerWrites() throws Exception {
    AtomicReference<SharedMachine> cut = new AtomicReference<>();
    Lending dying =
        (order, lender) -> {
          cut.get().cutOff(0);
          return new CompletableFuture<>();
        };
    try (SharedMachine machine = machine(PATIENCE, on(dying))) {
      cut.set(machine);
      train(machine, 1);
      assertThat(requireOnce(0)).containsOnlyKeys(OWN, REST);
    }
    assertComesBack(Level.NODE, 1);
  }

  /** It writes all the same, and what it wrote means nothing. */
  @Test
  void anAnswerThatNamesNoSuchContainerIsNotBelieved() throws Exception {
    List<byte[]> answers = new ArrayList<>();
    Lending lying =
        (order, lender) ->
            lender
                .answer(order)
                .thenApply(
                    answer -> {
                      answers.add(answer);
                      byte[] wrong = answer.clone();
                      wrong[answers.size() == 1 ? 3 : wrong.length - 1] ^= 1;
                      return wrong;
                    });
    try (SharedMachine machine = machine(PATIENCE, on(lying))) {
      train(machine, 2);
      assertThat(answers).hasSize(2);
      assertThat(requireOnce(0)).containsOnlyKeys(OWN, REST);
      assertThat(requireOnce(1)).containsOnlyKeys(OWN, REST);
    }
    assertComesBack(Level.NODE, 2);
  }

  /** A long order is asked for again, and carried out once. */
  @Test
  void aLenderThatStillWritesIsAskedAgain() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Lending slow =
        (order, lender) -> {
          CompletionStage<byte[]> answer = lender.answer(order);
          return asked.incrementAndGet() % 3 == 0
              ? answer
              : CompletableFuture.completedFuture(STILL_WRITING);
        };
    try (SharedMachine machine = machine(PATIENCE, on(slow))) {
      train(machine, 2);
      assertThat(asked).hasValue(6);
      assertThat(requireOnce(1)).hasSize(2).doesNotContainKey(REST);
      assertThat(machine.lentFlushedBytes(0)).isEqualTo(machine.copiesAtPeers(1).bytesToDevice());
    }
    assertComesBack(Level.NODE, 2);
  }

  @Test
  void aLenderThatOnlySaysThatItWritesIsNotWaitedForForEver() throws Exception {
    Lending stalling = (order, lender) -> CompletableFuture.completedFuture(STILL_WRITING);
    try (SharedMachine machine = machine(PATIENCE, on(stalling))) {
      train(machine, 1);
      assertThat(requireOnce(0)).containsOnlyKeys(OWN, REST);
    }
    assertComesBack(Level.NODE, 1);
  }

  @Test
  void aLenderWhoseNodeIsAnotherPlaceRefuses() throws Exception {
    String[] apart = settings("1m", root.resolve("apart"));
    try (SharedMachine machine =
        new SharedMachine(root, PATIENCE, UnaryOperator.identity(), apart, tight())) {
      train(machine, 1);
      assertThat(requireOnce(0)).containsOnlyKeys(OWN, REST);
      assertThat(machine.lentFlushedBytes(0)).isZero();
    }
  }

  /** The order says what each chunk's checksum is; the lender writes none that has another. */
  @Test
  void aChunkThatIsNotWhatTheOrderSaysIsNotWritten() throws Exception {
    Lending damaging =
        (order, lender) -> {
          byte[] changed = order.clone();
          changed[order.length - 1] ^= 1; // the checksum of the last chunk, which is always lent
          return lender.answer(changed);
        };
    try (SharedMachine machine = machine(PATIENCE, on(damaging))) {
      train(machine, 1);
      assertThat(requireOnce(0)).containsOnlyKeys(OWN, REST);
    }
    assertComesBack(Level.NODE, 1);
  }

  private static void damage(SharedMachine machine) {
    for (int slot = 0; slot < machine.cache(0).slots(); slot++) {
      try {
        Place place = machine.cache(0).lending().place(slot);
        place
            .engine()
            .copyAndChecksumAsync(HostMemory.of(new byte[CHUNK_BYTES]), 0, place.address())
            .awaitLanding();
      } catch (IllegalArgumentException e) {
        // not lent
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void whatIsDamagedAtItsLenderFailsAtNodeForAllToSee() throws Exception {
    AtomicReference<SharedMachine> machines = new AtomicReference<>();
    AtomicBoolean damaging = new AtomicBoolean();
    Lending damaged =
        (order, lender) -> {
          if (damaging.get()) {
            damage(machines.get());
          }
          return lender.answer(order);
        };
    try (SharedMachine machine = machine(PATIENCE, on(damaged))) {
      machines.set(machine);
      CyclicBarrier together = new CyclicBarrier(2);
      machine
          .ranks()
          .each(
              (rank, checkpointer) -> {
                Toy toy = Ranks.toy(rank);
                toy.protectBy(checkpointer);
                CheckpointTicket whole = step(toy, checkpointer, 0);
                assertThat(whole.sealed(Level.NODE).join()).isInstanceOf(Outcome.Sealed.class);
                together.await();
                damaging.set(true);
                CheckpointTicket bad = step(toy, checkpointer, 1);
                assertThat(bad.sealed(Level.NODE).join())
                    .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.reason()).contains("CRC32C"));
                together.await();
                return bad;
              });
    }
    assertComesBack(Level.NODE, 1);
  }

  private static CheckpointTicket step(Toy toy, Checkpointer checkpointer, long iteration) {
    toy.step(iteration);
    CheckpointTicket ticket = checkpointer.checkpoint(iteration);
    assertThat(ticket.captured().join()).isInstanceOf(Outcome.Captured.class);
    ticket.sealed(Level.DEVICE).join();
    return ticket;
  }

  @Test
  void bytesThatAreNoOrderAreRefusedAndHarmNobody() throws Exception {
    List<byte[]> orders = new ArrayList<>();
    Lending listening =
        (order, lender) -> {
          synchronized (orders) {
            orders.add(order.clone());
          }
          return lender.answer(order);
        };
    try (SharedMachine machine = machine(PATIENCE, on(listening))) {
      train(machine, 1);
      byte[] order = orders.get(0);
      for (long seed = 0; seed < 200; seed++) {
        byte[] hostile = mutated(order, new Random(seed));
        assertThatThrownBy(
                () -> machine.ask(machine.address(0), hostile).toCompletableFuture().get())
            .as("seed %d", seed)
            .hasMessageContaining("question of " + hostile.length + " bytes");
      }
      Occupancy lent = machine.sharing(0).lent().toCompletableFuture().get();
      assertThat(lent.leased() + lent.quarantined()).isZero();
      assertThatThrownBy(
              () -> machine.ask(machine.address(0), farAway()).toCompletableFuture().get())
          .hasMessageContaining("position 2000000000");
      assertThat(requireOnce(0)).hasSize(2).doesNotContainKey(REST);
    }
    assertComesBack(Level.NODE, 1);
  }

  /** The positions of a lease that are at NODE, of which no cache has so many. */
  private static byte[] farAway() {
    LeaseId id = new LeaseId("stranger", 1, new CheckpointId(NodeFiles.GROUP, 1, 0), 1);
    byte[] some = SharingWire.encode(new LeaseRequest.ReleaseSome(id, List.of(0, 2_000_000_000)));
    return ByteBuffer.allocate(1 + some.length).put(FLUSHED).put(some).array();
  }

  /** Another length, or another lease: its holder's name is the first that stands there. */
  private static byte[] mutated(byte[] order, Random random) {
    byte[] bytes = Arrays.copyOf(order, 2 + random.nextInt(order.length + 99));
    if (bytes.length == order.length || random.nextBoolean()) {
      int at = Math.min(bytes.length - 1, 9 + random.nextInt(30));
      bytes[at] ^= (byte) (1 + random.nextInt(127));
    }
    if (bytes.length > 1) {
      for (int flips = random.nextInt(4); flips > 0; flips--) {
        bytes[1 + random.nextInt(bytes.length - 1)] ^= (byte) (1 << random.nextInt(8));
      }
    }
    return bytes;
  }
}
