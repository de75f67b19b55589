package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.cache.memory.CopyCounter;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.engine.config.CairnConfig;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How often a byte is copied to and from the device on its way: a figure that no machine alters.
 */
class CopiesTest {
  private static final long TOY_BYTES = 5000 * Float.BYTES + Long.BYTES;

  @TempDir Path root;

  @Test
  void eachByteIsCopiedToSharedMemoryOnceAndWrittenFromThere() throws Exception {
    Places places = new Places(root);
    CairnConfig config = places.config();
    CopyCounter counter = new CopyCounter();
    DeviceMemory device =
        counter.count(
            SharedMemoryDevice.open(
                config.deviceDirectory(), root, config.cacheBytes().getAsLong()));
    try (CairnEngine cairn =
            CairnEngine.open(config, LocalStore.open(places.store(), Durability.PROCESS), device);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      CheckpointTicket zero = toy.run(checkpointer, 0, 1);
      assertThat(zero.sealed(Level.STORE).get()).isEqualTo(new Outcome.Sealed(Level.STORE));
      assertThat(counter.bytesToDevice()).isEqualTo(TOY_BYTES);
      toy.run(checkpointer, 1, 2);
      assertThat(counter.bytesToDevice()).isEqualTo(2 * TOY_BYTES);
      CheckpointTicket two = toy.run(checkpointer, 2, 3);
      assertThat(two.sealed(Level.NODE).get()).isEqualTo(new Outcome.Sealed(Level.NODE));
      CheckpointTicket four = toy.run(checkpointer, 3, 5);
      assertThat(four.sealed(Level.STORE).get()).isEqualTo(new Outcome.Sealed(Level.STORE));
      assertThat(counter.bytesToDevice()).isEqualTo(5 * TOY_BYTES);
      assertThat(counter.bytesToHost()).as("three at NODE, two at STORE").isZero();
    }
  }
}
