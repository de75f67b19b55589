package io.cairn.engine.promotion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.GroupId;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.flush.store.Unreadable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The store of a node's directory, which may be away, moved, or unreadable in part. */
class NodeDirectoryTest {
  private static final GroupId GROUP = new GroupId("job", "run");

  @TempDir Path root;

  private Path node;

  @BeforeEach
  void make() throws IOException {
    Files.createDirectories(root.resolve("disk"));
    Files.createSymbolicLink(root.resolve("link"), root.resolve("disk"));
    node = root.resolve("node");
  }

  /** Opens the directory of the store at a place; returns the store's name. */
  private String use(String place) throws IOException {
    try (CheckpointStore store = CheckpointStores.open(root + "/" + place);
        NodeDirectory directory = new NodeDirectory(node, store)) {
      directory.open().close();
      return directory.identity();
    }
  }

  private void move(String from, String to) throws IOException {
    Files.move(root.resolve(from), root.resolve(to));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"disk/store", "disk/./store", "disk/store/", "disk/x/../store", "link/store"})
  void aStoreThatIsAwayIsKnownByEachSpellingOfItsPlace(String spelling) throws IOException {
    for (String other : new String[] {"disk/store", "link/store"}) {
      String name = use(spelling);
      move("disk/store", "away");
      Files.createDirectory(root.resolve("disk/store"));

      assertThatThrownBy(() -> use(other))
          .as("used as %s, then as %s", spelling, other)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("has nothing")
          .hasMessageContaining(node.resolve(name).toString());
      Files.delete(root.resolve("disk/store"));
      assertThatThrownBy(() -> NodeDirectory.requireMounted(node, root + "/" + other))
          .as("the root of %s is gone, too", other)
          .hasMessageContaining(node.resolve(name).toString());

      move("away", "disk/store");
      assertThat(use(other)).isEqualTo(name);
    }
  }

  @Test
  void aStoreThatWasUsedAtSeveralPlacesIsKnownAtEach() throws IOException {
    String name = use("disk/first");
    move("disk/first", "disk/second");
    assertThat(use("disk/second")).isEqualTo(name);
    move("disk/second", "away");

    assertThat(Files.readAllLines(node.resolve(name).resolve("store-place")))
        .contains(root.resolve("disk/first").toString(), root.resolve("disk/second").toString());
    for (String place : new String[] {"disk/first", "disk/second"}) {
      Files.createDirectory(root.resolve(place));
      assertThatThrownBy(() -> use(place)).hasMessageContaining(node.resolve(name).toString());
    }
    assertThat(use("disk/third")).isNotEqualTo(name);
  }

  @Test
  void allStoresThatWereAtAPlaceAreNamed() throws IOException {
    String first = use("disk/store");
    move("disk/store", "away");
    Path lines = node.resolve(first).resolve("store-place");
    String noted = Files.readString(lines);
    Files.delete(lines); // as the message advises for a store that was moved
    String second = use("disk/store");
    move("disk/store", "away too");
    Files.writeString(lines, noted);
    Files.createDirectory(root.resolve("disk/store"));

    assertThatThrownBy(() -> use("disk/store"))
        .hasMessageContaining(node.resolve(first).toString())
        .hasMessageContaining(node.resolve(second).toString());
  }

  /** A group is about to be born: nothing else of it proves the store. */
  @Test
  void aDirectoryThatTookThePlaceOfTheStoreIsNotKnown() throws IOException {
    String name = use("disk/store");
    try (CheckpointStore store = CheckpointStores.open(root + "/disk/store");
        NodeDirectory directory = new NodeDirectory(node, store)) {
      assertThat(directory.identity()).isEqualTo(name);
      Files.writeString(root.resolve("disk/store").resolve(StoreIdentity.FILE), "another\n");

      assertThatThrownBy(directory::requireKnown).hasMessageContaining("another directory");
    }
  }

  /** Every epoch file has the name, too. */
  @Test
  void aNameThatCannotBeReadIsThatOfTheEpochFiles() throws IOException {
    String name = use("disk/store");
    try (CheckpointStore store = CheckpointStores.open(root + "/disk/store")) {
      CheckpointStore unreadable = Unreadable.file(store, StoreIdentity.FILE);
      try (NodeDirectory lost = new NodeDirectory(node, unreadable)) {
        assertThatThrownBy(lost::identity).hasMessageContaining("could not obtain block");
      }
      new EpochFiles(store).take(GROUP, 0, "a run", Optional.of(name));

      try (NodeDirectory found = new NodeDirectory(node, unreadable)) {
        assertThat(found.identity()).isEqualTo(name);
        found.requireKnown();
      }
    }
  }
}
