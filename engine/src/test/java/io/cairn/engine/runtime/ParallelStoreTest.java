package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.engine.config.CairnConfig;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Trainings of one process, whose checkpoints go to STORE at the same time. */
@Timeout(60)
class ParallelStoreTest {
  @TempDir Path root;

  /** Each write begins only when the other one does, too. */
  @Test
  void twoTrainingsWriteAtOnce() throws Exception {
    CairnConfig config = new Places(root).config("node.every", "1", "store.every", "1");
    GatedStore store = new GatedStore(CheckpointStores.open(new Places(root).store().toString()));
    CyclicBarrier both = new CyclicBarrier(2);
    try (CairnEngine cairn = CairnEngine.open(config, store, Devices.open(config), StepPlan.ALL);
        Checkpointer first = cairn.join("first");
        Checkpointer second = cairn.join("second")) {
      Toy one = new Toy();
      one.protectBy(first);
      first.restore();
      Toy other = new Toy();
      other.protectBy(second);
      second.restore();
      store.gate(
          (operation, path) -> {
            if (operation.equals("create") && path.endsWith(".chunks")) {
              await(both);
            }
          });

      CheckpointTicket ofFirst = one.run(first, 0, 1);
      CheckpointTicket ofSecond = other.run(second, 0, 1);

      assertThat(ofFirst.sealed(Level.STORE).get()).isEqualTo(new Outcome.Sealed(Level.STORE));
      assertThat(ofSecond.sealed(Level.STORE).get()).isEqualTo(new Outcome.Sealed(Level.STORE));
    }
  }

  private static void await(CyclicBarrier barrier) throws IOException {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IOException(e);
    }
  }
}
