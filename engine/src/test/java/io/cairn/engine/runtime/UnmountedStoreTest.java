package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** STORE's file system is away for a while, and its place is an empty directory, or none. */
@Timeout(120)
class UnmountedStoreTest {
  @TempDir Path root;

  private Places places() {
    return new Places(root);
  }

  private CairnEngine open(String... settings) throws IOException {
    List<String> all = new ArrayList<>(List.of("node.every", "1", "store.every", "1"));
    all.addAll(List.of(settings));
    return places().open(all.toArray(new String[0]));
  }

  private void unmount() throws IOException {
    Files.move(places().store(), root.resolve("disk"));
  }

  private void mount() throws IOException {
    Files.move(root.resolve("disk"), places().store());
  }

  private String train() throws IOException {
    try (CairnEngine cairn = open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      Optional<RestoreReport> from = checkpointer.restore();
      long first = from.map(report -> report.id().iteration() + 1).orElse(0L);
      assertThat(toy.run(checkpointer, first, first + 5).sealed(Level.STORE).join())
          .isEqualTo(new Outcome.Sealed(Level.STORE));
      return from.map(report -> report.id().label()).orElse("nothing");
    }
  }

  @Test
  void aRootIsNotMadeWhereNodeKnowsTheStore() throws Exception {
    assertThat(train()).isEqualTo("nothing");
    unmount();

    assertThatThrownBy(this::train)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(places().store().toString())
        .hasMessageContaining(places().node().toString())
        .hasMessageContaining("mount");
    assertThat(places().store()).doesNotExist();

    mount();
    assertThat(train()).isEqualTo("e1-i4");
  }

  /** The mount point itself is STORE. */
  @Test
  void anEmptyDirectoryDoesNotBecomeAStoreWhereNodeKnowsAnother() throws Exception {
    train();
    unmount();
    Files.createDirectory(places().store());

    assertThatThrownBy(this::train)
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("store: store " + places().store())
        .hasMessageContaining(places().node().toString())
        .hasMessageContaining("mount");
    assertThat(places().store()).isEmptyDirectory();

    Files.delete(places().store());
    mount();
    assertThat(train()).isEqualTo("e1-i4");
  }

  /** An earlier accident left a name there. */
  @Test
  void aDirectoryWithAnotherNameIsNoStoreWhereNodeKnowsOne() throws Exception {
    train();
    unmount();
    Files.createDirectory(places().store());
    Files.writeString(places().store().resolve("cairn-store-id"), "below\n");

    assertThatThrownBy(this::train)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(places().store() + " is below")
        .hasMessageContaining("mount");
  }

  @Test
  void aStoreThatWasEmptiedOnPurposeBeginsOnceNodeHasForgottenIt() throws Exception {
    train();
    unmount();
    try (Stream<Path> stores = Files.list(places().node())) {
      Files.move(stores.findAny().orElseThrow(), root.resolve("forgotten"));
    }

    assertThat(train()).isEqualTo("nothing");
  }

  @Test
  void anotherPlaceIsAnotherStore() throws Exception {
    train();
    try (CairnEngine cairn = places().open("store", root.resolve("other").toString());
        Checkpointer checkpointer = cairn.join("run")) {
      new Toy().protectBy(checkpointer);
      assertThat(checkpointer.restore()).isEmpty();
    }
  }

  @Test
  void nothingIsSealedInAnEmptyDirectoryThatTookThePlaceOfTheStore() throws Exception {
    try (CairnEngine cairn = open("closeTimeout", "2s");
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      assertThat(toy.run(checkpointer, 0, 3).sealed(Level.STORE).join())
          .isEqualTo(new Outcome.Sealed(Level.STORE));
      unmount();
      Files.createDirectory(places().store());

      Outcome meanwhile = toy.run(checkpointer, 3, 4).sealed(Level.STORE).join();

      assertThat(meanwhile)
          .isInstanceOf(Outcome.Failed.class)
          .asString()
          .contains("unknown", "another directory", "stays below its mount point");
      try (Stream<Path> below = Files.walk(places().store())) {
        assertThat(below.map(path -> path.getFileName().toString()))
            .doesNotContain("MANIFEST", "birth", "cairn-store-id");
      }

      Files.move(places().store(), root.resolve("below"));
      mount();
      assertThat(toy.run(checkpointer, 4, 8).sealed(Level.STORE).join())
          .isEqualTo(new Outcome.Sealed(Level.STORE));
    }
    assertThat(train()).isEqualTo("e1-i7");
  }

  /** A rank that joins again would begin its group anew, below the mount point. */
  @Test
  void aGroupIsNotBornInADirectoryThatTookThePlaceOfTheStore() throws Exception {
    try (CairnEngine cairn = open("store.patience", "0s", "closeTimeout", "2s")) {
      try (Checkpointer checkpointer = cairn.join("run")) {
        Toy toy = new Toy();
        toy.protectBy(checkpointer);
        toy.run(checkpointer, 0, 5).sealed(Level.STORE).join();
      }
      unmount();
      Files.createDirectory(places().store());

      assertThatThrownBy(() -> cairn.join("run").close()).hasMessageContaining("another directory");
      assertThat(places().store()).isEmptyDirectory();
    }
  }
}
