package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import io.cairn.cache.memory.HugeMemory;
import io.cairn.flush.format.MarkedBytes;
import io.cairn.flush.format.SparseStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A region of 4.25 GiB passes through every level: bytes on both sides of 2^31 and of 2^32, and the
 * last one, come back from DEVICE, NODE and STORE, and no other byte changes.
 */
class HugeRegionTest {
  private static final long BYTES = 17L << 28;

  @TempDir private Path root = Path.of("");

  private final MarkedBytes content = new MarkedBytes(BYTES);
  private final HugeMemory memory = new HugeMemory(BYTES, content.marks().keySet());
  private final SparseStore store = new SparseStore();

  private CairnEngine open(String machine) throws IOException {
    return CairnEngine.open(
        new Places(Files.createDirectories(root.resolve(machine)))
            .config(
                "device.cacheSize", "9g",
                "chunkSize", "1m",
                "node.every", "1",
                "node.codec", "lz4",
                "store.every", "1",
                "closeTimeout", "300s"),
        store,
        new SparseDevice(9L << 30));
  }

  @Test
  @Timeout(600)
  void everyByteComesBackFromEveryLevel() throws Exception {
    CheckpointId id = checkpointAndLoad();
    assertThat(restored("one machine")).extracting(RestoreReport::id).isEqualTo(id);
    memory.requireOnly(content.marks());

    RestoreReport another = restored("another machine");
    assertThat(another.id()).isEqualTo(id);
    assertThat(another.level()).isEqualTo(Level.STORE);
    memory.requireOnly(content.marks());
  }

  /** A checkpoint at all levels, which is loaded from DEVICE. */
  private CheckpointId checkpointAndLoad() throws Exception {
    memory.set(content.marks());
    try (CairnEngine cairn = open("one machine");
        Checkpointer checkpointer = cairn.join("run")) {
      checkpointer.protect(SparseDevice.region("huge", memory));
      CheckpointTicket ticket = checkpointer.checkpoint(0);
      for (Level level : new Level[] {Level.DEVICE, Level.NODE, Level.STORE}) {
        assertThat(ticket.sealed(level).get()).isEqualTo(new Outcome.Sealed(level));
      }
      memory.set(Map.of());
      assertThat(checkpointer.restore())
          .get()
          .extracting(RestoreReport::level)
          .isEqualTo(Level.DEVICE);
      memory.requireOnly(content.marks());
      return ticket.id();
    }
  }

  private RestoreReport restored(String machine) throws Exception {
    memory.set(Map.of());
    try (CairnEngine cairn = open(machine);
        Checkpointer checkpointer = cairn.join("run")) {
      checkpointer.protect(SparseDevice.region("huge", memory));
      return checkpointer.restore().orElseThrow();
    }
  }
}
