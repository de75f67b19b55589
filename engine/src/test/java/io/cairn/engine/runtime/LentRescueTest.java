package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.Place;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.model.Level;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.session.CheckpointTicket;
import io.cairn.core.session.Checkpointer;
import io.cairn.core.session.Outcome;
import io.cairn.core.session.RestoreReport;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that is about to end saves what lies at lenders, or did. */
@Timeout(60)
class LentRescueTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final byte FLUSHED = 9;
  private static final int CHUNK_BYTES = 4096;
  private static final int ITERATIONS = 3;

  @TempDir Path root;

  private final AtomicInteger flushed = new AtomicInteger();

  private String[] settings(String cacheSize) {
    return new String[] {
      "device.cacheSize",
      cacheSize,
      "node.dir",
      root.resolve("node").toString(),
      "node.every",
      "1",
      "store.every",
      "1000"
    };
  }

  /** Counts how often the lender has heard that a part is at NODE. */
  private PeerService counting(PeerService lender) {
    return new PeerService() {
      @Override
      public CompletionStage<byte[]> answer(byte[] question) {
        CompletionStage<byte[]> answer = lender.answer(question);
        return question[0] == FLUSHED
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
    while (cache.lending().lentSlots() > 0) {
      Thread.sleep(2);
    }
    int[] slots = cache.lending().lend(cache.spareSlots());
    for (int slot : slots) {
      Place place = cache.lending().place(slot);
      place
          .engine()
          .copyAndChecksumAsync(HostMemory.of(new byte[CHUNK_BYTES]), 0, place.address())
          .awaitLanding();
    }
    cache.lending().takeBack(slots);
  }

  @Test
  void whatLendersGaveAwaySinceNodeHasItIsReadThere() throws Exception {
    try (SharedMachine machine =
        new SharedMachine(root, PATIENCE, this::counting, settings("1m"), settings("12k"))) {
      CyclicBarrier together = new CyclicBarrier(2);
      machine.ranks().each((rank, checkpointer) -> run(machine, rank, checkpointer, together));
      assertThat(machine.ranks().cairn(1).counters().count(Level.STORE, Outcome.Sealed.class))
          .as("the first, and the one that was rescued")
          .isEqualTo(2);
    }
    try (LocalStore store = LocalStore.openForReading(root)) {
      assertThat(store.deleteDirectory("node")).isTrue();
    }
    try (Ranks ranks = new Ranks(root, List.of(settings("1m"), settings("1m")))) {
      List<RestoreReport> reports =
          ranks.each(
              (rank, checkpointer) -> {
                Toy toy = new Toy();
                toy.protectBy(checkpointer);
                RestoreReport report = checkpointer.restore().orElseThrow();
                assertThat(toy).isEqualTo(Ranks.undisturbed(rank, ITERATIONS));
                return report;
              });
      assertThat(reports).extracting(RestoreReport::level).containsOnly(Level.STORE);
    }
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
      while (flushed.get() < ITERATIONS) {
        Thread.sleep(2);
      }
      useUp(machine);
      assertThat(machine.ranks().cairn(1).rescue(PATIENCE)).isTrue();
      while (settledAtStore(machine) < 2) {
        Thread.sleep(2);
      }
    }
    together.await();
    return true;
  }

  private static long settledAtStore(SharedMachine machine) {
    return machine.ranks().cairn(1).counters().count(Level.STORE, Outcome.Sealed.class)
        + machine.ranks().cairn(1).counters().count(Level.STORE, Outcome.Failed.class);
  }
}
