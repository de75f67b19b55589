package io.cairn.adjoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Checkpointer;
import io.cairn.adjoint.history.History;
import io.cairn.adjoint.history.HistoryException;
import io.cairn.adjoint.history.HistoryPlaces;
import io.cairn.adjoint.history.HistorySettings;
import io.cairn.adjoint.schedule.Schedules;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.engine.runtime.GatedStore;
import io.cairn.flush.format.MemoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program that is told to end while a state comes up. */
@Timeout(60)
class InterruptedRunTest {
  private static final int STEPS = 40;

  @TempDir Path root;
  private final CountDownLatch comesUp = new CountDownLatch(1);
  private final CountDownLatch goesOn = new CountDownLatch(1);

  /** Room for 8 states on the device, and for the others in this store. */
  private History history(DeviceMemory device, GatedStore store) throws Exception {
    return History.resume(
        HistoryPlaces.on(device).withStore(store, Duration.ZERO, 1 << 20),
        new HistorySettings(8 * AdjointLife.STATE_BYTES, 4096, root.resolve("states"), 0));
  }

  private void gate(String operation) {
    if (operation.equals("open")
        && Thread.currentThread().getName().startsWith("cairn-history-ahead")) {
      comesUp.countDown();
      await(goesOn);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(50, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void losesNoState() throws Exception {
    GatedStore store = new GatedStore(new MemoryStore("m"));
    Path memory = Files.createDirectories(root.resolve("memory"));
    InterruptedProgram program = new InterruptedProgram();
    try (CairnEngine cairn = CairnEngine.open(AdjointLife.config(root));
        Checkpointer checkpointer = cairn.join("run");
        DeviceMemory device = SharedMemoryDevice.open(memory, memory, 1 << 20);
        History history = history(device, store)) {
      store.gate((operation, path) -> gate(operation));
      AdjointRunner runner = new AdjointRunner(history, checkpointer, 1_000);
      try {
        assertThatThrownBy(() -> runner.run(program, Schedules.storeAll(STEPS)))
            .isInstanceOf(HistoryException.class);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(program.runs).isEqualTo(STEPS);
        assertThat(history.where(StateId.tape(program.reversed - 1))).isNotEmpty();
      } finally {
        goesOn.countDown();
      }
    }
  }

  /** Is interrupted in its fifth reversal. */
  private final class InterruptedProgram extends ToyProgram {
    int runs;
    long reversed = STEPS;

    InterruptedProgram() {
      super(STEPS);
    }

    @Override
    public void step(long step) {
      super.step(step);
      runs++;
    }

    @Override
    public void reverse(long step) {
      super.reverse(step);
      reversed = step;
      if (step == STEPS - 5) {
        await(comesUp);
        Thread.currentThread().interrupt();
      }
    }
  }
}
