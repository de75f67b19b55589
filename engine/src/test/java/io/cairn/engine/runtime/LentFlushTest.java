package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointTicket;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.cache.memory.CopyCounter;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.Wire;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lenders write the chunks that they hold to NODE; the owner writes those that they do not. */
@Timeout(60)
class LentFlushTest extends LentFlushing {
  private static final byte[] STILL_WRITING = Wire.encode(new PeerReply.StillWriting());

  @Test
  void lendersWriteTheirChunksAndTheyAreRestored() throws Exception {
    try (SharedMachine machine = machine(PATIENCE, UnaryOperator.identity())) {
      for (CheckpointTicket ticket : train(machine, 9)) {
        assertThat(ticket.sealed(Level.NODE).join()).isEqualTo(new Outcome.Sealed(Level.NODE));
        assertThat(ticket.sealed(Level.STORE).join()).isEqualTo(new Outcome.Sealed(Level.STORE));
      }
      Map<String, List<String>> containers = requireOnce(8);
      assertThat(containers).hasSize(2).doesNotContainKey(REST);
      CopyCounter atPeers = machine.copiesAtPeers(1);
      assertThat(machine.lentFlushedBytes(0)).isPositive().isEqualTo(atPeers.bytesToDevice());
      assertThat(atPeers.bytesToHost()).as("the borrower's link, used twice").isZero();
      assertThat(machine.lentFlushedBytes(1)).isZero();
    }
    assertThat(files().directories())
        .as("the newest two")
        .containsExactly("e000001-i0000000007", "e000001-i0000000008");
    for (long iteration : new long[] {7, 8}) {
      assertThat(requireOnce(iteration)).hasSize(2);
    }
    assertRestores(Level.NODE, 9);
    deleteNode();
    assertRestores(Level.STORE, 9);
  }

  @Test
  void theOwnerWritesChunksThatALenderRefuses() throws Exception {
    Lending refusing = (order, lender) -> CompletableFuture.failedFuture(new IOException("no"));
    try (SharedMachine machine = machine(PATIENCE, on(refusing))) {
      train(machine, 5);
      assertThat(requireOnce(4)).containsOnlyKeys(OWN, REST);
      assertThat(machine.lentFlushedBytes(0)).isZero();
      CopyCounter atPeers = machine.copiesAtPeers(1);
      assertThat(atPeers.bytesToHost()).isEqualTo(atPeers.bytesToDevice());
    }
    assertRestores(Level.NODE, 5);
  }

  @Test
  void theOwnerWritesChunksThatALenderNeverAnswersFor() throws Exception {
    Lending silent = (order, lender) -> new CompletableFuture<>();
    try (SharedMachine machine = machine(Duration.ofMillis(1500), on(silent))) {
      train(machine, 3);
      assertThat(requireOnce(2)).containsOnlyKeys(OWN, REST);
    }
    assertRestores(Level.NODE, 3);
  }

  /** Its memory is mapped, and stays readable. */
  @Test
  void theOwnerWritesChunksOfAnUnreachableLender() throws Exception {
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
    assertRestores(Level.NODE, 1);
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
    assertRestores(Level.NODE, 2);
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
}
