package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.flush.store.StoreEntry;
import io.cairn.flush.store.StoreInput;
import io.cairn.flush.store.StoreOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The nodes that a repair opens. */
class RepairsTest {
  @TempDir Path directory;

  private final List<Node> opened = new ArrayList<>();

  private CheckpointStore open(String where) throws IOException {
    if (where.startsWith(directory.resolve("absent").toString())) {
      throw new IOException(where + " does not exist");
    }
    Node node = new Node(where);
    opened.add(node);
    return node;
  }

  @Test
  void nodesAreClosedIfOneCannotBeOpened() throws IOException {
    try (CheckpointStore store = CheckpointStores.open(directory.resolve("store").toString())) {
      String unused = StoreIdentity.of(store);
      List<Path> nodes =
          List.of(directory.resolve("a"), directory.resolve("b"), directory.resolve("absent"));

      assertThatThrownBy(() -> new Repairs(store, nodes, this::open))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("absent");

      assertThat(opened).hasSize(2).allMatch(node -> node.closed);
    }
  }

  @Test
  void oneThatFailsToCloseKeepsNoOtherOpen() throws IOException {
    try (CheckpointStore store = CheckpointStores.open(directory.resolve("store").toString())) {
      String unused = StoreIdentity.of(store);
      Repairs repairs =
          new Repairs(store, List.of(directory.resolve("stuck"), directory), this::open);

      assertThatThrownBy(repairs::close).hasStackTraceContaining("stuck");

      assertThat(opened).hasSize(2).allMatch(node -> node.closed);
    }
  }

  /** A node without files; one whose name says so fails to close. */
  private static final class Node implements CheckpointStore {
    private final String where;
    private boolean closed;

    Node(String where) {
      this.where = where;
    }

    @Override
    public void close() throws IOException {
      closed = true;
      if (where.contains("stuck")) {
        throw new IOException(where + " cannot be closed");
      }
    }

    @Override
    public String describe() {
      return where;
    }

    @Override
    public List<StoreEntry> list(String path) {
      return List.of();
    }

    @Override
    public StoreInput open(String path) throws IOException {
      throw new IOException("empty");
    }

    @Override
    public StoreOutput create(String path) throws IOException {
      throw new IOException("read-only");
    }

    @Override
    public void publish(String from, String to) throws IOException {
      throw new IOException("read-only");
    }

    @Override
    public boolean delete(String path) throws IOException {
      throw new IOException("read-only");
    }

    @Override
    public boolean deleteDirectory(String path) throws IOException {
      throw new IOException("read-only");
    }
  }
}
