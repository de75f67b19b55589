package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.Place;
import io.cairn.cache.memory.HostMemory;
import io.cairn.cache.memory.Until;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process that is about to end saves what lies at lenders, or did. */
@Timeout(60)
class LentRescueTest extends LentFlushing {
  private static final int ITERATIONS = 3;

  private final AtomicInteger flushed = new AtomicInteger();

  @Override
  String[] settings(String cacheSize, Path node) {
    List<String> settings = new ArrayList<>(List.of(super.settings(cacheSize, node)));
    settings.addAll(List.of("store.every", "1000"));
    return settings.toArray(String[]::new);
  }

  /** Counts how often the lender has received that a part is at NODE. */
  private PeerService counting(PeerService lender) {
    return new PeerService() {
      @Override
      public CompletionStage<byte[]> answer(byte[] question) {
        CompletionStage<byte[]> answer = lender.answer(question);
        return Wire.decode(question, PeerRequest.class) instanceof PeerRequest.Flushed
            ? answer.whenComplete((done, failure) -> flushed.incrementAndGet())
            : answer;
      }

      @Override
      public PeerSink receive(byte[] header, long bytes) throws IOException {
        return lender.receive(header, bytes);
      }
    };
  }

  /** The trainer of the lender takes all of its memory back, and writes to it. */
  private static void useUp(SharedMachine machine) throws Exception {
    ChunkCache cache = machine.cache(0);
    machine.sharing(0).takeBack(cache.slots());
    Until.holds(() -> cache.lentSlots().count() == 0);
    CheckpointId own = new CheckpointId(new GroupId("job", "lender"), 1, 0);
    CachedCheckpoint all = cache.reserve(own, 0, cache.freeSlots()).orElseThrow();
    for (int chunk = 0; chunk < all.chunks(); chunk++) {
      Place place = all.place(chunk);
      place
          .engine()
          .copyAndChecksumAsync(HostMemory.of(new byte[CHUNK_BYTES]), 0, place.address())
          .awaitLanding();
    }
    all.discard();
  }

  @Test
  void whatLendersGaveAwaySinceNodeHasItIsReadThere() throws Exception {
    try (SharedMachine machine = machine(PATIENCE, this::counting)) {
      CyclicBarrier together = new CyclicBarrier(2);
      machine.ranks().each((rank, checkpointer) -> run(machine, rank, checkpointer, together));
      assertThat(machine.ranks().cairn(1).counters().count(Level.STORE, Outcome.Sealed.class))
          .as("the first, and the one that was rescued")
          .isEqualTo(2);
    }
    deleteNode();
    assertRestores(Level.STORE, ITERATIONS);
  }

  private boolean run(
      SharedMachine machine, int rank, Checkpointer checkpointer, CyclicBarrier together)
      throws Exception {
    Toy toy = Ranks.toy(rank);
    toy.protectBy(checkpointer);
    for (int i = 0; i < ITERATIONS; i++) {
      toy.step(i);
      together.await();
      CheckpointTicket ticket = checkpointer.checkpoint(i);
      assertThat(ticket.sealed(Level.NODE).join()).isInstanceOf(Outcome.Sealed.class);
      assertThat(ticket.sealed(Level.DEVICE).join()).isInstanceOf(Outcome.Sealed.class);
    }
    together.await();
    if (rank == 1) {
      Until.holds(() -> flushed.get() >= ITERATIONS);
      useUp(machine);
      assertThat(machine.ranks().cairn(1).rescue(PATIENCE)).isTrue();
      Until.holds(() -> settledAtStore(machine) >= 2);
    }
    together.await();
    return true;
  }

  private static long settledAtStore(SharedMachine machine) {
    return machine.ranks().cairn(1).counters().count(Level.STORE, Outcome.Sealed.class)
        + machine.ranks().cairn(1).counters().count(Level.STORE, Outcome.Failed.class);
  }
}
