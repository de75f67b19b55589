package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Independent groups of one process, with a store that hangs for one of them. */
@Timeout(120)
class SeveralGroupsTest {
  @TempDir Path root;

  @Test
  void aCommitThatHangsDelaysNoOtherGroup() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    GatedStore store =
        new GatedStore(LocalStore.open(new Places(root).store(), Durability.PROCESS));
    store.gate(
        (operation, path) -> {
          if (operation.equals("publish") && path.matches(".*/slow/.*/MANIFEST")) {
            await(hangs);
          }
        });
    try (CairnEngine cairn = CairnEngine.open(new Places(root).config(), store);
        Checkpointer slow = cairn.join("slow");
        Checkpointer quick = cairn.join("quick")) {
      CheckpointTicket held = first(slow);

      Outcome quickly = first(quick).sealed(Level.STORE).get(60, TimeUnit.SECONDS);

      assertThat(quickly).isEqualTo(new Outcome.Sealed(Level.STORE));
      assertThat(held.sealed(Level.STORE)).isNotDone();
      hangs.countDown();
    }
  }

  private static CheckpointTicket first(Checkpointer checkpointer) throws Exception {
    Toy toy = new Toy();
    toy.protectBy(checkpointer);
    return toy.run(checkpointer, 0, 1);
  }

  private static void await(CountDownLatch latch) throws InterruptedIOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new InterruptedIOException("the test ended");
    }
  }
}
