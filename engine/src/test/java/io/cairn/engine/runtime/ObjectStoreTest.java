package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.flush.store.ObjectFileSystem;
import io.cairn.flush.store.StoreEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A training whose STORE is an object store: no rename, no sync, conditional puts. */
@Timeout(60)
class ObjectStoreTest {
  private static final int LIVES = 3;
  private static final long ITERATIONS = 8;

  @TempDir Path root;

  private CairnEngine open() throws IOException {
    String store = "objects://" + root.resolve("store");
    return CairnEngine.open(
        new Places(root).config("store", store, "store.every", "2", "keep", "2"),
        CheckpointStores.open(store, ObjectFileSystem.configuration(), Map.of()));
  }

  @Test
  void everyLifeGoesOnFromStore() throws Exception {
    for (int life = 0; life < LIVES; life++) {
      try (CairnEngine cairn = open()) {
        Toy toy = live(cairn, life);

        assertThat(toy).isEqualTo(Toy.undisturbed((life + 1) * ITERATIONS));
        assertThat(cairn.counters().count(Level.STORE, Outcome.Failed.class)).isZero();
        assertThat(cairn.store().list("test/run"))
            .as("kept checkpoints")
            .filteredOn(StoreEntry::directory)
            .hasSizeLessThanOrEqualTo(2 + 1 + 1);
      }
      Files.move(new Places(root).node(), root.resolve("lost" + life));
    }
  }

  private static Toy live(CairnEngine cairn, int life) throws Exception {
    Toy toy = new Toy();
    try (Checkpointer checkpointer = cairn.join("run")) {
      toy.protectBy(checkpointer);
      long first =
          checkpointer.restore().map(RestoreReport::id).map(id -> id.iteration() + 1).orElse(0L);
      assertThat(first).isEqualTo(life * ITERATIONS);
      toy.run(checkpointer, first, first + ITERATIONS);
      checkpointer.end(first + ITERATIONS - 1);
    }
    return toy;
  }
}
