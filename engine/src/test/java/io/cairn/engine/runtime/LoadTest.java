package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Checkpointer;
import io.cairn.GroupId;
import io.cairn.HeldCheckpoint;
import io.cairn.Level;
import io.cairn.Region;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Older checkpoints are read while a training runs, and the training continues its own line. */
@Timeout(60)
class LoadTest {
  private static final GroupId GROUP = new GroupId("test", "run");

  @TempDir Path root;

  private static CheckpointId id(long epoch, long iteration) {
    return new CheckpointId(GROUP, epoch, iteration);
  }

  private static Toy joined(Checkpointer checkpointer) {
    Toy toy = new Toy();
    toy.protectBy(checkpointer);
    return toy;
  }

  @Test
  void anOlderCheckpointIsReadIntoOtherMemory() throws Exception {
    Places places = new Places(root);
    try (CairnEngine cairn = places.open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = joined(checkpointer);
      toy.run(checkpointer, 0, 6);
      float[] older = new float[toy.weights.length];

      RestoreReport report = checkpointer.load(id(1, 3), Region.of("weights", older)).orElseThrow();

      assertThat(older).isEqualTo(Toy.undisturbed(4).weights);
      assertThat(report.id()).isEqualTo(id(1, 3));
      assertThat(report.level()).isEqualTo(Level.DEVICE);
      assertThat(report.bytes()).isEqualTo(4L * older.length);
      assertThat(toy).isEqualTo(Toy.undisturbed(6));
      assertThat(checkpointer.epoch()).isEqualTo(1);
      toy.run(checkpointer, 6, 8);
    }
    try (CairnEngine cairn = places.open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = joined(checkpointer);
      assertThat(checkpointer.restore().orElseThrow().id()).isEqualTo(id(1, 7));
      assertThat(toy).isEqualTo(Toy.undisturbed(8));
    }
  }

  @Test
  void theListNamesEpochsAndLevels() throws Exception {
    Places places = new Places(root);
    try (CairnEngine cairn = places.open();
        Checkpointer checkpointer = cairn.join("run")) {
      joined(checkpointer).run(checkpointer, 0, 6);
    }
    try (CairnEngine cairn = places.open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = joined(checkpointer);
      checkpointer.restore();
      toy.run(checkpointer, 6, 7).sealed(Level.DEVICE).join();

      List<HeldCheckpoint> held = checkpointer.checkpoints();

      assertThat(held.get(0).id()).isEqualTo(id(2, 6));
      assertThat(held.get(0).levels()).contains(Level.DEVICE);
      assertThat(held.get(1))
          .isEqualTo(new HeldCheckpoint(id(1, 5), List.of(Level.NODE, Level.STORE)));
    }
  }

  /** Nothing is captured again under an old id, so no reader mixes the two lines. */
  @Test
  void aTrainingThatLoadsIntoItsOwnMemoryContinuesItsIterations() throws Exception {
    Places places = new Places(root);
    try (CairnEngine cairn = places.open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = joined(checkpointer);
      toy.run(checkpointer, 0, 6);

      assertThat(checkpointer.load(id(1, 2), Region.of("weights", toy.weights))).isPresent();

      assertThat(toy.weights).isEqualTo(Toy.undisturbed(3).weights);
      assertThatThrownBy(() -> checkpointer.checkpoint(3))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(checkpointer.checkpoint(6).id()).isEqualTo(id(1, 6));
    }
    try (CairnEngine cairn = places.open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = joined(checkpointer);
      assertThat(checkpointer.restore().orElseThrow().id()).isEqualTo(id(1, 6));
      assertThat(toy.weights).isEqualTo(Toy.undisturbed(3).weights);
    }
  }

  @Test
  void blobsAreLoadedByTheGivenConsumer() throws Exception {
    try (CairnEngine cairn = new Places(root).open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = joined(checkpointer);
      toy.run(checkpointer, 0, 6);
      long[] counter = new long[1];

      checkpointer.load(
          id(1, 4),
          Region.of(
              "counter",
              () -> new byte[0],
              bytes -> counter[0] = ByteBuffer.wrap(bytes).getLong()));

      assertThat(counter[0]).isEqualTo(Toy.undisturbed(5).counter);
      assertThat(toy).isEqualTo(Toy.undisturbed(6));
    }
  }

  @Test
  void aCheckpointWithLongerChunksThanThoseOfNowIsLoaded() throws Exception {
    Places places = new Places(root);
    try (CairnEngine cairn = places.open("chunkSize", "8k");
        Checkpointer checkpointer = cairn.join("run")) {
      joined(checkpointer).run(checkpointer, 0, 1);
    }
    try (CairnEngine cairn = places.open("chunkSize", "4k");
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = joined(checkpointer);
      checkpointer.restore();
      float[] read = new float[toy.weights.length];

      assertThat(checkpointer.load(id(1, 0), Region.of("weights", read))).isPresent();

      assertThat(read).isEqualTo(Toy.undisturbed(1).weights);
    }
  }

  @Test
  void aCheckpointThatNoLevelHoldsIsEmpty() throws Exception {
    try (CairnEngine cairn = new Places(root).open();
        Checkpointer checkpointer = cairn.join("run")) {
      joined(checkpointer).run(checkpointer, 0, 2);

      assertThat(checkpointer.load(id(7, 1), Region.of("weights", new float[5000]))).isEmpty();
    }
  }

  @Test
  void anotherGroupAnotherRegionAndAnotherShapeAreRefusedByName() throws Exception {
    try (CairnEngine cairn = new Places(root).open();
        Checkpointer checkpointer = cairn.join("run")) {
      joined(checkpointer).run(checkpointer, 0, 2);
      float[] shorter = new float[4999];
      CheckpointId elsewhere = new CheckpointId(new GroupId("test", "other"), 1, 1);

      assertThatThrownBy(() -> checkpointer.load(elsewhere, Region.of("weights", shorter)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("test/other")
          .hasMessageContaining("checkpoints() lists");
      assertThatThrownBy(() -> checkpointer.load(id(1, 1), Region.of("bias", shorter)))
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("bias")
          .hasMessageContaining("weights");
      assertThatThrownBy(() -> checkpointer.load(id(1, 1), Region.of("weights", shorter)))
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("float[5000]")
          .hasMessageContaining("float[4999]");
      assertThatThrownBy(() -> checkpointer.load(id(1, 1), Region.of("weights", new int[5000])))
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("int[5000]");
      assertThat(shorter).containsOnly(0);
    }
  }

  @Test
  void aDamagedCopyIsNotLoaded() throws Exception {
    Places places = new Places(root);
    try (CairnEngine cairn = places.open();
        Checkpointer checkpointer = cairn.join("run")) {
      joined(checkpointer).run(checkpointer, 0, 1);
    }
    try (CairnEngine cairn = places.open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = joined(checkpointer);
      checkpointer.restore();
      damage(places.nodeOfStore()); // now, since a restore would have it repaired
      float[] read = new float[toy.weights.length];

      RestoreReport report = checkpointer.load(id(1, 0), Region.of("weights", read)).orElseThrow();

      assertThat(report.level()).isEqualTo(Level.STORE);
      assertThat(read).isEqualTo(Toy.undisturbed(1).weights);
      damage(places.store());
      float[] untouched = new float[read.length];
      assertThatThrownBy(() -> checkpointer.load(id(1, 0), Region.of("weights", untouched)))
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("e1-i0")
          .hasMessageContaining("STORE");
      assertThat(untouched).containsOnly(0);
    }
  }

  private static void damage(Path tree) throws Exception {
    List<Path> containers;
    try (Stream<Path> files = Files.walk(tree)) {
      containers = files.filter(file -> file.toString().endsWith(".chunks")).toList();
    }
    for (Path container : containers) {
      byte[] bytes = Files.readAllBytes(container);
      bytes[5000] ^= 1;
      Files.write(container, bytes);
    }
  }

  @Test
  void oneRankOfAGroupLoadsOnItsOwn() throws Exception {
    try (Ranks ranks = new Ranks(root, 2)) {
      ranks.each(
          (rank, checkpointer) -> {
            Toy toy = Ranks.toy(rank);
            toy.protectBy(checkpointer);
            toy.run(checkpointer, 0, 5).sealed(Level.DEVICE).join();
            if (rank == 1) {
              float[] older = new float[toy.weights.length];
              assertThat(checkpointer.load(id(1, 4), Region.of("weights", older))).isPresent();
              assertThat(older).isEqualTo(toy.weights);
            }
            return toy.run(checkpointer, 5, 8).sealed(Level.DEVICE).join();
          });
    }
  }
}
