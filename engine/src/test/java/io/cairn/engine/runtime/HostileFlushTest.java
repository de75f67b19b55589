package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Digest;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.cache.chunk.Place;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.RegionImage;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.sharing.FilledChunk;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.sharing.Occupancy;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lenders and strangers that send or write something wrong. */
@Timeout(60)
class HostileFlushTest extends LentFlushing {
  private static final byte[] STILL_WRITING = Wire.encode(new PeerReply.StillWriting());

  /** It writes all the same, and what it wrote means nothing. */
  @Test
  void anAnswerThatNamesNoContainerIsRejected() throws Exception {
    List<byte[]> answers = new ArrayList<>();
    Lending lying =
        (order, lender) ->
            lender
                .answer(order)
                .thenApply(
                    answer -> {
                      answers.add(answer);
                      return wrong(answer, answers.size() == 1);
                    });
    try (SharedMachine machine = machine(PATIENCE, on(lying))) {
      train(machine, 2);
      assertThat(answers).hasSize(2);
      assertThat(requireOnce(0)).containsOnlyKeys(OWN, REST);
      assertThat(requireOnce(1)).containsOnlyKeys(OWN, REST);
    }
    assertRestores(Level.NODE, 2);
  }

  /** The same answer with another file's name, or with another digest. */
  private static byte[] wrong(byte[] answer, boolean name) {
    ContainerSummary told = Wire.decode(answer, PeerReply.Written.class).container();
    return Wire.encode(
        new PeerReply.Written(
            new ContainerSummary(
                name ? "x" + told.file() : told.file(),
                told.bytes(),
                name ? told.indexDigest() : Digest.of(new byte[0]),
                told.ranks())));
  }

  @Test
  void theWaitForALenderThatOnlyPromisesIsBounded() throws Exception {
    Lending stalling = (order, lender) -> CompletableFuture.completedFuture(STILL_WRITING);
    try (SharedMachine machine = machine(PATIENCE, on(stalling))) {
      train(machine, 1);
      assertThat(requireOnce(0)).containsOnlyKeys(OWN, REST);
    }
    assertRestores(Level.NODE, 1);
  }

  /** The order names each chunk's checksum; the lender writes no chunk with another one. */
  @Test
  void aChunkWithAnotherChecksumIsNotWritten() throws Exception {
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
    assertRestores(Level.NODE, 1);
  }

  /** The lender writes its own chunks, and an index in which another chunk differs. */
  @Test
  void aContainerThatNamesAnotherChecksumIsRejected() throws Exception {
    UnaryOperator<PeerService> lying =
        lender -> changing(HostileFlushTest::withAnotherChecksum, lender);
    try (SharedMachine machine = machine(PATIENCE, lying)) {
      train(machine, 1);

      assertThat(requireOnce(0)).containsOnlyKeys(OWN, REST);
    }
    assertRestores(Level.NODE, 1);
  }

  /** Of the first chunk, which is never lent. */
  private static PeerRequest withAnotherChecksum(PeerRequest question) {
    if (!(question instanceof PeerRequest.Flush order)) {
      return question;
    }
    List<RegionImage> images = new ArrayList<>(order.images());
    RegionImage first = images.get(0);
    int[] checksums = IntStream.range(0, first.chunks()).map(first::checksum).toArray();
    checksums[0] ^= 1;
    images.set(0, new RegionImage(first.name(), first.bytes(), first.chunkBytes(), checksums));
    return new PeerRequest.Flush(order.lease(), order.groupSize(), order.node(), images);
  }

  /** A lender that receives other questions than its borrower asked. */
  private static PeerService changing(UnaryOperator<PeerRequest> change, PeerService lender) {
    return new PeerService() {
      @Override
      public CompletionStage<byte[]> answer(byte[] question) {
        return lender.answer(Wire.encode(change.apply(Wire.decode(question, PeerRequest.class))));
      }

      @Override
      public PeerSink receive(byte[] header, long bytes) throws IOException {
        return lender.receive(header, bytes);
      }
    };
  }

  @Test
  void aCheckpointOfWhichALenderRejectsChunksIsNotAtDevice() throws Exception {
    UnaryOperator<PeerService> rejecting =
        lender -> changing(HostileFlushTest::withOtherBytes, lender);
    try (SharedMachine machine = machine(PATIENCE, rejecting)) {
      List<Outcome> outcomes =
          machine
              .ranks()
              .each(
                  (rank, checkpointer) -> {
                    Toy toy = Ranks.toy(rank);
                    toy.protectBy(checkpointer);
                    return checkpointer.checkpoint(0).sealed(Level.DEVICE).join();
                  });

      assertThat(outcomes)
          .allSatisfy(
              outcome ->
                  assertThat(outcome)
                      .isInstanceOfSatisfying(
                          Outcome.Failed.class,
                          failed -> assertThat(failed.reason()).contains("does not hold")));
    }
  }

  /** The lender's slots hold other bytes than the borrower reports. */
  private static PeerRequest withOtherBytes(PeerRequest question) {
    if (!(question instanceof PeerRequest.Lease lease)
        || !(lease.request() instanceof LeaseRequest.Filled filled)) {
      return question;
    }
    List<FilledChunk> chunks =
        filled.chunks().stream()
            .map(
                one ->
                    new FilledChunk(one.position(), one.chunk(), one.bytes(), one.checksum() ^ 1))
            .toList();
    return new PeerRequest.Lease(new LeaseRequest.Filled(filled.id(), chunks));
  }

  private static void damage(SharedMachine machine) {
    for (int slot = 0; slot < machine.cache(0).slots(); slot++) {
      try {
        Place place = machine.cache(0).lentSlots().place(slot);
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

  /** The lender learns that it may evict the whole checkpoint first, and not the other one. */
  @Test
  void aChunkDamagedAtItsLenderFailsNode() throws Exception {
    Set<Long> evictable = ConcurrentHashMap.newKeySet();
    AtomicReference<SharedMachine> machines = new AtomicReference<>();
    AtomicBoolean damaging = new AtomicBoolean();
    Lending damaged =
        (order, lender) -> {
          if (damaging.get()) {
            damage(machines.get());
          }
          return lender.answer(order);
        };
    UnaryOperator<PeerService> lending = lender -> on(damaged).apply(noting(evictable, lender));
    try (SharedMachine machine = machine(PATIENCE, lending)) {
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
    assertThat(evictable).containsExactly(0L);
    assertRestores(Level.NODE, 1);
  }

  /** Collects the iterations that a borrower reports as copied to NODE. */
  private static PeerService noting(Set<Long> iterations, PeerService lender) {
    return new PeerService() {
      @Override
      public CompletionStage<byte[]> answer(byte[] question) {
        if (Wire.decode(question, PeerRequest.class) instanceof PeerRequest.Flushed flushed) {
          iterations.add(flushed.lease().checkpoint().iteration());
        }
        return lender.answer(question);
      }

      @Override
      public PeerSink receive(byte[] header, long bytes) throws IOException {
        return lender.receive(header, bytes);
      }
    };
  }

  private static CheckpointTicket step(Toy toy, Checkpointer checkpointer, long iteration) {
    toy.step(iteration);
    CheckpointTicket ticket = checkpointer.checkpoint(iteration);
    assertThat(ticket.captured().join()).isInstanceOf(Outcome.Captured.class);
    ticket.sealed(Level.DEVICE).join();
    return ticket;
  }

  @Test
  void bytesThatAreNoOrderAreRejected() throws Exception {
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
      assertThat(lent.filling() + lent.quarantined()).isZero();
      assertThatThrownBy(
              () -> machine.ask(machine.address(0), farAway()).toCompletableFuture().get())
          .hasMessageContaining("position 2000000000");
      assertThat(requireOnce(0)).hasSize(2).doesNotContainKey(REST);
    }
    assertRestores(Level.NODE, 1);
  }

  /** The positions of a lease that are at NODE, of which no cache has so many. */
  private static byte[] farAway() {
    LeaseId id = new LeaseId("stranger", 1, new CheckpointId(NodeFiles.GROUP, 1, 0), 1);
    return Wire.encode(new PeerRequest.Flushed(id, List.of(0, 2_000_000_000)));
  }

  /** Another length, or another lease: its holder's name is the first that stands there. */
  private static byte[] mutated(byte[] order, Random random) {
    byte[] bytes = Arrays.copyOf(order, 2 + random.nextInt(order.length + 99));
    if (bytes.length == order.length || random.nextBoolean()) {
      int at = Math.min(bytes.length - 1, 4 + random.nextInt(30));
      bytes[at] ^= (byte) (1 + random.nextInt(127));
    }
    if (bytes.length > 2) {
      for (int flips = random.nextInt(4); flips > 0; flips--) {
        bytes[2 + random.nextInt(bytes.length - 2)] ^= (byte) (1 << random.nextInt(8));
      }
    }
    return bytes;
  }
}
