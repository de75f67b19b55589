package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.GlobalStorageStatistics;
import org.apache.hadoop.fs.StorageStatistics;
import org.junit.jupiter.api.Test;

/** Calls of the NameNode, which serves a thousand executors at once after a failure. */
class NameNodeCallsTest {
  private final Configuration client = EmbeddedHdfs.impatientClient();

  /** The calls of this process so far, by name. */
  private static List<String> calls() {
    StorageStatistics statistics = GlobalStorageStatistics.INSTANCE.get("DFSOpsCountStatistics");
    List<String> calls = new ArrayList<>();
    Iterator<StorageStatistics.LongStatistic> each = statistics.getLongStatistics();
    while (each.hasNext()) {
      StorageStatistics.LongStatistic one = each.next();
      for (long i = 0; i < one.getValue(); i++) {
        calls.add(one.getName());
      }
    }
    return calls;
  }

  /** The calls since {@code before}. */
  private static List<String> since(List<String> before) {
    List<String> now = calls();
    before.forEach(now::remove);
    return now;
  }

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
      List<String> before = calls();
      try (StoreInput in = store.open("d/file")) {
        in.readFully(0, ByteBuffer.allocate(100));
        assertThat(in.length()).isEqualTo(100);
      }
      assertThat(since(before)).containsExactly("op_open");
    }
  }

  @Test
  void aStoreThatWasProbedIsOpenedWithOneCall() throws Exception {
    URI root = rootWithFile();
    List<String> before = calls();

    try (CheckpointStore store = HadoopStore.openProbed(root, client, StoreBlocks.DEFAULT)) {
      assertThat(since(before)).containsExactly("op_get_file_status");
      assertThat(store.list("d")).hasSize(1);
    }
  }

  @Test
  void aRootThatIsMissingIsNotMade() throws Exception {
    URI root = EmbeddedHdfs.freshRoot();

    assertThatThrownBy(() -> HadoopStore.openProbed(root.resolve("missing"), client, StoreBlocks.DEFAULT).close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("missing");
  }
}
