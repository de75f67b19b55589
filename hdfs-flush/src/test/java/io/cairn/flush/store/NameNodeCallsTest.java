package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** Calls of the NameNode, which serves a thousand executors at once after a failure. */
class NameNodeCallsTest {
  private final Configuration client = EmbeddedHdfs.impatientClient();

  private URI rootWithFile() throws IOException {
    URI root = EmbeddedHdfs.freshRoot();
    try (CheckpointStore store = HadoopStore.open(root, client);
        StoreOutput out = store.create("d/file")) {
      out.write(ByteBuffer.allocate(100));
      out.sync();
    }
    return root;
  }

  @Test
  void aFileIsReadWithOneCall() throws Exception {
    try (CheckpointStore store = HadoopStore.open(rootWithFile(), client)) {
      NameNodeCalls calls = new NameNodeCalls();

      try (StoreInput in = store.open("d/file")) {
        in.readFully(0, ByteBuffer.allocate(100));
        assertThat(in.length()).isEqualTo(100);
      }

      assertThat(calls.since()).isEqualTo(Map.of("GetBlockLocations", 1L));
    }
  }

  /** Their answers lag behind the changes of other clients. */
  @Test
  void aClientThatMayReadOfObserversAsksForTheNewestState() throws Exception {
    URI root = rootWithFile();
    client.setBoolean("dfs.client.rbf.observer.read.enable", true);

    try (CheckpointStore store = HadoopStore.open(root, client)) {
      NameNodeCalls calls = new NameNodeCalls();

      assertThat(store.list("d")).hasSize(1);

      assertThat(calls.since()).isEqualTo(Map.of("Msync", 1L, "GetListing", 1L));
    }
  }

  @Test
  void aStoreThatWasProbedIsOpenedWithOneCall() throws Exception {
    URI root = rootWithFile();
    NameNodeCalls calls = new NameNodeCalls();

    try (CheckpointStore store = HadoopStore.openProbed(root, client)) {
      assertThat(calls.since()).isEqualTo(Map.of("GetFileInfo", 1L));
      assertThat(store.list("d")).hasSize(1);
    }
  }

  @Test
  void aDirectoryIsListedWithOneCall() throws Exception {
    try (CheckpointStore store = HadoopStore.open(rootWithFile(), client)) {
      NameNodeCalls calls = new NameNodeCalls();

      assertThat(store.list("d")).hasSize(1);

      assertThat(calls.since()).isEqualTo(Map.of("GetListing", 1L));
    }
  }

  @Test
  void aRootThatIsMissingIsNotMade() throws Exception {
    URI root = EmbeddedHdfs.freshRoot();

    assertThatThrownBy(() -> HadoopStore.openProbed(root.resolve("missing"), client).close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("missing");
  }
}
