package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A level that hangs seals nothing and fails nothing; only the wait for it shows. */
@Timeout(120)
class OldestWaitTest {
  @TempDir Path root;

  @Test
  void aCheckpointThatWaitsForStoreIsSeenUntilItIsSealed() throws Exception {
    GatedStore store = new GatedStore(LocalStore.open(root.resolve("store"), Durability.PROCESS));
    CountDownLatch answers = new CountDownLatch(1);
    String[] settings = {"node.every", "1", "store.every", "2"};
    try (CairnEngine cairn = CairnEngine.open(new Places(root).config(settings), store)) {
      assertThat(cairn.running()).isEmpty();
      try (Checkpointer checkpointer = cairn.join("run")) {
        Toy toy = new Toy();
        toy.protectBy(checkpointer);
        CheckpointTicket first = toy.run(checkpointer, 0, 1);
        assertThat(first.sealed(Level.STORE).join()).isInstanceOf(Outcome.Sealed.class);
        store.gate(
            (operation, path) -> {
              try {
                answers.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });

        CheckpointTicket hung = toy.run(checkpointer, 1, 4); // of which iteration 2 is due
        assertThat(hung.sealed(Level.NODE).join()).isInstanceOf(Outcome.Sealed.class);
        RunningRank rank = cairn.running().get(0);
        assertThat(rank.iteration()).isEqualTo(3);
        assertThat(rank.waitingNanos()).containsOnlyKeys(Level.STORE);
        long waits = rank.waitingNanos().getOrDefault(Level.STORE, 0L);
        assertThat(waits).isPositive();
        assertThat(cairn.running().get(0).waitingNanos().getOrDefault(Level.STORE, 0L))
            .isGreaterThan(waits);

        answers.countDown();
        while (!cairn.running().get(0).waitingNanos().isEmpty()) {
          Thread.onSpinWait();
        }
      }
      assertThat(cairn.running()).isEmpty();
    }
  }
}
