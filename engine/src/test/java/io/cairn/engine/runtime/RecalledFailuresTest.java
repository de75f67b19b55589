package io.cairn.engine.runtime;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Checkpointer;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.RestoreReport;
import io.cairn.core.cadence.Learned;
import io.cairn.core.goodput.LearnedEntries;
import io.cairn.core.model.ContainerSummary;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A rank on its own ends with its coordinator, while STORE is behind NODE. */
@Timeout(60)
class RecalledFailuresTest {
  private static final GroupId GROUP = new GroupId("test", "run");

  /** STORE gets iteration 0. Without its bound, it does not get the first of each epoch. */
  private static final String[] SETTINGS = {
    "cadence", "adaptive", "store.every", "1000000", "store.within", "off"
  };

  @TempDir Path root;

  private final Toy toy = new Toy();

  @Test
  void aFailureThatOnlyNodeKnowsOfIsRemembered() throws IOException {
    rollBackAndEndWithoutStore();
    assertThat(learnedAtStore().map(Learned::failures).orElse(Map.of())).isEmpty();

    RestoreReport report = continueToStore();

    assertThat(report.level()).isEqualTo(Level.NODE);
    assertThat(learnedAtStore().orElseThrow().failures())
        .containsEntry(Level.DEVICE, 1)
        .containsEntry(Level.NODE, 1);
  }

  /** Trains until a manifest at NODE knows of a failure; the last checkpoint goes no further. */
  private void rollBackAndEndWithoutStore() throws IOException {
    GatedStore store =
        new GatedStore(LocalStore.open(new Places(root).store(), Durability.PROCESS));
    try (CairnEngine cairn = CairnEngine.open(new Places(root).config(SETTINGS), store);
        Checkpointer checkpointer = cairn.join("run")) {
      toy.protectBy(checkpointer);
      toy.run(checkpointer, 0, 1).sealed(Level.STORE).join();
      toy.run(checkpointer, 1, 3).sealed(Level.NODE).join();
      checkpointer.restore();
      GatedStore.Gate gone =
          (operation, path) -> {
            throw new IOException(path + ": No space left on device");
          };
      store.gate(gone.forWrites());
      long next = 3;
      do {
        toy.run(checkpointer, next, next + 2).sealed(Level.NODE).join();
        next += 2;
      } while (failuresAtNode().getOrDefault(Level.DEVICE, 0) == 0);
    }
  }

  /** Its end brings the last checkpoint, and what the coordinator knows, to STORE. */
  private RestoreReport continueToStore() throws IOException {
    try (CairnEngine cairn = new Places(root).open(SETTINGS);
        Checkpointer checkpointer = cairn.join("run")) {
      toy.protectBy(checkpointer);
      RestoreReport report = checkpointer.restore().orElseThrow();
      long next = report.id().iteration() + 1;
      toy.run(checkpointer, next, next + 2);
      return report;
    }
  }

  private Map<Level, Integer> failuresAtNode() throws IOException {
    try (CheckpointStore node = LocalStore.openForReading(new Places(root).nodeOfStore())) {
      SortedMap<CheckpointId, StoredCheckpoint> stored = Inventory.list(node, GROUP).checkpoints();
      StoredCheckpoint newest = requireNonNull(stored.get(stored.lastKey()));
      return LearnedEntries.in(ContainerSummary.program(newest.containersOf(0)))
          .map(Learned::failures)
          .orElse(Map.of());
    }
  }

  private Optional<Learned> learnedAtStore() throws IOException {
    try (CheckpointStore store = LocalStore.openForReading(new Places(root).store())) {
      CheckpointId newest = Inventory.list(store, GROUP).checkpoints().lastKey();
      return new GroupMemory(store).learned(newest);
    }
  }
}
