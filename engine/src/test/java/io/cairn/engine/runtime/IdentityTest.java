package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Checkpointer;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.Fingerprint;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program resumes its own checkpoints, and not those of another one. */
@Timeout(60)
class IdentityTest {
  @TempDir Path root;

  private Optional<RestoreReport> train(long iterations, String... settings) throws IOException {
    try (CairnEngine cairn = new Places(root).open(settings)) {
      return train(cairn, iterations);
    }
  }

  private static Optional<RestoreReport> train(CairnEngine cairn, long iterations) {
    try (Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      Optional<RestoreReport> report = checkpointer.restore();
      long from = report.map(r -> r.id().iteration() + 1).orElse(0L);
      toy.run(checkpointer, from, from + iterations);
      assertThat(toy).isEqualTo(Toy.undisturbed(from + iterations));
      return report;
    }
  }

  private static String label(Optional<RestoreReport> report) {
    return report.map(RestoreReport::id).map(CheckpointId::label).orElse("afresh");
  }

  @ParameterizedTest
  @ValueSource(strings = {"store", "node"})
  void anotherLabelIsRefusedWithBothValues(String left) throws IOException {
    train(5, "label", "digits v1");
    delete(root.resolve(left.equals("store") ? "node" : "none"));

    assertThatThrownBy(() -> train(1, "label", "digits v2"))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("test/run e1-i4")
        .hasMessageContaining("label is digits v1 there and digits v2 here")
        .hasMessageContaining("cairn.resume");
    assertThatThrownBy(() -> train(1))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("label is digits v1 there and absent here");
    assertThat(label(train(1, "label", "digits v1"))).isEqualTo("e1-i4");
  }

  @Test
  void aDeliberateChangeIsAcceptedByName() throws IOException {
    train(5, "label", "digits v1");

    assertThatThrownBy(() -> train(1, "label", "digits v2", "accept", "data"))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("set accept (on Spark spark.cairn.accept) to label");
    assertThat(label(train(1, "label", "digits v2", "accept", "data,label"))).isEqualTo("e1-i4");
    // what was written since has the new label
    assertThat(label(train(1, "label", "digits v2"))).isEqualTo("e3-i5");
  }

  /** Its bytes would mean something else. */
  @Test
  void noAcceptanceChangesTheSizeOfARegion() throws IOException {
    train(5);
    try (CairnEngine cairn = new Places(root).open("accept", "region.weights,region.counter");
        Checkpointer checkpointer = cairn.join("run")) {
      float[] shorter = new float[10];
      checkpointer.protect(Region.of("weights", shorter));
      checkpointer.protect(Region.of("counter", () -> new byte[8], bytes -> {}));

      assertThatThrownBy(checkpointer::restore)
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("20000 bytes there and 40 bytes here");
    }
  }

  @Test
  void otherElementsOfTheSameLengthAreRefused() throws IOException {
    try (CairnEngine cairn = new Places(root).open()) {
      try (Checkpointer checkpointer = cairn.join("run")) {
        checkpointer.protect(Region.of("weights", new double[100]));
        checkpointer.checkpoint(0).captured().join();
      }
      float[] floats = new float[200];
      floats[0] = 7;
      try (Checkpointer checkpointer = cairn.join("run")) {
        checkpointer.protect(Region.of("weights", floats));

        assertThatThrownBy(checkpointer::restore)
            .isInstanceOf(RestoreException.class)
            .hasMessageContaining("region.weights is double[100] there and float[200] here");
      }
      assertThat(floats[0]).isEqualTo(7);
    }
  }

  /** The newest is of another program; an older one is not taken instead. */
  @Test
  void aDescriptionOfTheProgramIsCompared() throws IOException {
    try (CairnEngine cairn = new Places(root).open()) {
      Toy toy = new Toy();
      try (Checkpointer checkpointer = cairn.join("run")) {
        toy.protectBy(checkpointer);
        checkpointer.describe("data", "mnist");
        toy.run(checkpointer, 0, 3);
        assertThatThrownBy(() -> checkpointer.describe("data", "again"))
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> checkpointer.describe("region.x", "y"))
            .isInstanceOf(IllegalArgumentException.class);
      }
      try (Checkpointer checkpointer = cairn.join("run")) {
        new Toy().protectBy(checkpointer);
        checkpointer.describe("data", "fashion");

        assertThatThrownBy(checkpointer::restore)
            .isInstanceOf(RestoreException.class)
            .hasMessageContaining("data is mnist there and fashion here");
      }
    }
  }

  @Test
  void oneRankOfAnotherProgramStopsTheGroup() throws Exception {
    try (Ranks ranks = new Ranks(root, 2)) {
      ranks.each(
          (rank, checkpointer) -> {
            Toy toy = Ranks.toy(rank);
            toy.protectBy(checkpointer);
            return toy.run(checkpointer, 0, 8);
          });
    }
    try (Ranks ranks = new Ranks(root, 2)) {
      List<String> ends =
          ranks.each(
              (rank, checkpointer) -> {
                Toy toy = Ranks.toy(rank);
                toy.protectBy(checkpointer);
                if (rank == 1) {
                  checkpointer.describe("data", "other");
                }
                try {
                  return label(checkpointer.restore());
                } catch (RestoreException e) {
                  return String.valueOf(e.getMessage());
                }
              });

      assertThat(ends.get(1)).contains("data is absent there and other here");
      assertThat(ends.get(0)).doesNotStartWith("e").isNotEqualTo("afresh");
    }
  }

  @Test
  void aManifestWithoutEntriesIsRestored() throws IOException {
    train(5, "label", "digits");
    delete(root.resolve("node"));
    Path manifest = root.resolve("store/test/run/e000001-i0000000004/MANIFEST");
    CheckpointManifest now = ManifestCodec.decode(Files.readAllBytes(manifest), "now");
    assertThat(now.fingerprintOf(0).entries()).containsEntry("label", "digits");
    Files.write(
        manifest,
        ManifestCodec.encode(
            new CheckpointManifest(
                now.id(),
                now.size(),
                now.parent(),
                now.ancestry(),
                now.nonce(),
                List.of(now.containers().get(0).writtenBy(Fingerprint.NONE)))));

    assertThat(label(train(1, "label", "other"))).isEqualTo("e1-i4");
  }

  @Test
  void neverStartsAfreshAndARetryOfThatRunResumes() throws IOException {
    train(5);
    try (CairnEngine cairn = new Places(root).open("resume", "never", "label", "second")) {
      assertThat(label(train(cairn, 5))).isEqualTo("afresh");
      assertThat(label(train(cairn, 1))).isEqualTo("e2-i4");
    }

    assertThat(label(train(1, "label", "second"))).isEqualTo("e3-i5");
  }

  @Test
  void anotherProcessOfTheRunResumesToo() throws IOException {
    train(5);
    for (String expected : List.of("afresh", "e2-i4")) {
      try (CairnEngine cairn = new Places(root).open("resume", "never")) {
        cairn.run("application-7");
        assertThat(label(train(cairn, 5))).isEqualTo(expected);
      }
    }
    try (CairnEngine cairn = new Places(root).open("resume", "never")) {
      cairn.run("application-8");
      assertThat(label(train(cairn, 1))).isEqualTo("afresh");
    }
  }

  /** A retry must not start afresh, since a store fails for a moment. */
  @Test
  void neverKnowsItsOwnCheckpointsThoughTheyCannotBeReadNow() throws IOException {
    try (CairnEngine cairn = new Places(root).open("resume", "never")) {
      cairn.run("application-7");
      train(cairn, 5);
    }
    AtomicInteger failures = new AtomicInteger(2);
    GatedStore store =
        new GatedStore(LocalStore.open(new Places(root).store(), Durability.PROCESS));
    GatedStore.Gate away =
        (operation, path) -> {
          if (path.endsWith(".chunks") && failures.getAndDecrement() > 0) {
            throw new IOException(path + ": connection refused");
          }
        };
    store.gate(away.forReads());
    String[] settings = {"resume", "never", "node.dir", root + "/other"};
    try (CairnEngine cairn = CairnEngine.open(new Places(root).config(settings), store)) {
      cairn.run("application-7");

      assertThat(label(train(cairn, 1))).isEqualTo("e1-i4");
    }
    assertThat(failures).hasNonPositiveValue();
  }

  @Test
  void neverRefusesToGoBackBehindAManifestOfItsOwn() throws IOException {
    try (CairnEngine cairn = new Places(root).open("resume", "never")) {
      cairn.run("application-7");
      train(cairn, 5);
    }
    GatedStore store =
        new GatedStore(LocalStore.open(new Places(root).store(), Durability.PROCESS));
    GatedStore.Gate away =
        (operation, path) -> {
          if (path.endsWith("i0000000004/MANIFEST")) {
            throw new IOException(path + ": connection refused");
          }
        };
    store.gate(away.forReads());
    String[] settings = {
      "resume",
      "never",
      "node.dir",
      root + "/other",
      "store.patience",
      "0s",
      "store.unreadable",
      "refuse"
    };
    try (CairnEngine cairn = CairnEngine.open(new Places(root).config(settings), store)) {
      cairn.run("application-7");

      assertThatThrownBy(() -> train(cairn, 1))
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("e1-i4", "cairn prune --discard");
    }
  }

  @Test
  void requireRefusesToStartWithoutACheckpoint() throws IOException {
    assertThatThrownBy(() -> train(1, "resume", "require"))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("resume (on Spark spark.cairn.resume) is require");
    train(5);
    assertThat(label(train(1, "resume", "require"))).isEqualTo("e2-i4");
  }

  @Test
  void requireRefusesToCheckpointWhatWasNotRestored() throws IOException {
    try (CairnEngine cairn = new Places(root).open("resume", "require");
        Checkpointer checkpointer = cairn.join("run")) {
      new Toy().protectBy(checkpointer);

      assertThat(checkpointer.checkpoint(0).captured().join()).isInstanceOf(Outcome.Failed.class);
    }
  }

  private static void delete(Path tree) throws IOException {
    if (Files.exists(tree)) {
      try (Stream<Path> paths = Files.walk(tree)) {
        for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }
}
