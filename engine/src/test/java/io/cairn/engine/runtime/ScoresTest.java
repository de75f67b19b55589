package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Checkpointer;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Scores that a training gives its checkpoints, and the checkpoints that STORE keeps for them. */
@Timeout(60)
class ScoresTest {
  private static final double[] LOSSES = {9, 3, 1, Double.NaN, 2, 4, Double.NaN, 8};

  @TempDir Path root;

  private CairnEngine open(String node) throws IOException {
    return new Places(root)
        .open(
            "node.dir",
            root.resolve(node).toString(),
            "keep",
            "newest:1,lowest:2",
            "node.every",
            "1",
            "store.every",
            "1");
  }

  private SortedMap<CheckpointId, StoredCheckpoint> atStore() throws IOException {
    try (LocalStore store = LocalStore.open(new Places(root).store(), Durability.PROCESS)) {
      return Inventory.list(store, new GroupId("test", "run")).checkpoints();
    }
  }

  private static List<Long> iterations(SortedMap<CheckpointId, StoredCheckpoint> stored) {
    return stored.keySet().stream().map(CheckpointId::iteration).toList();
  }

  private static void train(Checkpointer checkpointer, Toy toy, int from, int to) {
    for (int i = from; i < to; i++) {
      toy.step(i);
      checkpointer.score(LOSSES[i]);
      assertThat(checkpointer.checkpoint(i).sealed(Level.STORE).join())
          .isEqualTo(new Outcome.Sealed(Level.STORE));
    }
  }

  @Test
  void theBestStayAtStoreAndAnyOfThemIsRestored() throws IOException {
    Instant before = Instant.now().minusMillis(1);
    try (CairnEngine cairn = open("node");
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      train(checkpointer, toy, 0, LOSSES.length);
    }

    SortedMap<CheckpointId, StoredCheckpoint> stored = atStore();
    assertThat(iterations(stored)).containsExactly(2L, 4L, 7L);
    StoredCheckpoint best = Objects.requireNonNull(stored.get(stored.firstKey()));
    assertThat(best.facts().score()).hasValue(1);
    assertThat(best.facts().sealed().orElseThrow()).isBetween(before, Instant.now());
    try (CairnEngine cairn = open("another");
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      RestoreReport report = checkpointer.restore(best.id()).orElseThrow();
      assertThat(report.level()).isEqualTo(Level.STORE);
      assertThat(toy).isEqualTo(Toy.undisturbed(3));
      train(checkpointer, toy, 3, LOSSES.length);
    }
    assertThat(iterations(atStore())).as("of the new line").containsExactly(2L, 4L, 7L);
  }

  /** One that is due nowhere, or whose group rolls back, takes its score with it. */
  @Test
  void aScoreIsOfOneCheckpoint() throws IOException {
    try (CairnEngine cairn = open("node");
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      train(checkpointer, toy, 0, 2);
      toy.step(2);
      checkpointer.checkpoint(2).sealed(Level.STORE).join();
      checkpointer.score(0.001);
      checkpointer.restore();
      toy.step(3);
      checkpointer.checkpoint(3).sealed(Level.STORE).join();
    }

    List<OptionalDouble> scores = new ArrayList<>();
    atStore().values().forEach(stored -> scores.add(stored.facts().score()));
    assertThat(scores)
        .containsExactly(OptionalDouble.of(9), OptionalDouble.of(3), OptionalDouble.empty());
  }

  @Test
  void theScoreOfRankZeroIsThatOfItsGroup() throws Exception {
    String[] settings = {"keep", "newest:1,highest:1", "node.every", "1", "store.every", "1"};
    try (Ranks ranks = new Ranks(root, List.of(settings, settings))) {
      ranks.each(
          (rank, checkpointer) -> {
            Toy toy = Ranks.toy(rank);
            toy.protectBy(checkpointer);
            for (int i = 0; i < 5; i++) {
              toy.step(i);
              checkpointer.score(rank == 0 ? -Math.abs(i - 1) : i);
              checkpointer.checkpoint(i).sealed(Level.STORE).join();
            }
            return toy;
          });
      ranks.awaitStore();
    }

    assertThat(iterations(atStore())).containsExactly(1L, 4L);
  }
}
