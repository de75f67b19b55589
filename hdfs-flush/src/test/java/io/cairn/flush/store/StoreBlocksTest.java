package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The replication and the block size of a store's files. */
class StoreBlocksTest {
  private static final StoreBlocks TWO_OF_8M = blocks(2, 8 << 20);

  private final Configuration client = EmbeddedHdfs.impatientClient();

  @TempDir Path directory;

  private static StoreBlocks blocks(int replication, long bytes) {
    return new StoreBlocks(OptionalInt.of(replication), OptionalLong.of(bytes));
  }

  private FileStatus written(URI root, CheckpointStore store) throws IOException {
    StoreFiles.write(store, "d/file", new byte[3]);
    try (FileSystem files = FileSystem.newInstance(root, client)) {
      return files.getFileStatus(new org.apache.hadoop.fs.Path(root + "/d/file"));
    }
  }

  @Test
  void filesGetTheBlocksThatWereAskedFor() throws IOException {
    URI root = EmbeddedHdfs.freshRoot();

    try (CheckpointStore store = HadoopStore.open(root, client, TWO_OF_8M)) {
      FileStatus file = written(root, store);

      assertThat(file.getReplication()).isEqualTo((short) 2);
      assertThat(file.getBlockSize()).isEqualTo(8 << 20);
      assertThat(store.list("")).extracting(StoreEntry::name).containsExactly("d");
    }
  }

  @Test
  void aStoreThatWasProbedWritesThemToo() throws IOException {
    URI root = EmbeddedHdfs.freshRoot();
    HadoopStore.open(root, client, TWO_OF_8M).close();

    try (CheckpointStore store = HadoopStore.openProbed(root, client, TWO_OF_8M)) {
      assertThat(written(root, store).getBlockSize()).isEqualTo(8 << 20);
    }
  }

  @Test
  void otherwiseTheFileSystemDecides() throws IOException {
    URI root = EmbeddedHdfs.freshRoot();

    try (CheckpointStore store = HadoopStore.open(root, client)) {
      FileStatus file = written(root, store);

      assertThat(file.getReplication()).isEqualTo((short) client.getInt("dfs.replication", 0));
      assertThat(file.getBlockSize()).isEqualTo(128 << 20);
    }
  }

  @Test
  void aBlockSizeThatHdfsRejectsIsNamed() {
    client.setLong("dfs.bytes-per-checksum", 4096);

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(
            () -> HadoopStore.open(EmbeddedHdfs.freshRoot(), client, blocks(1, (1 << 20) + 512)))
        .withMessageContainingAll("cannot use store hdfs:", "store.blockSize = 1049088", "choose");
  }

  @Test
  void aFileSystemThatIgnoresThemIsRefused() {
    URI root = URI.create("plain://" + directory + "/store");

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> HadoopStore.open(root, PlainFileSystem.configuration(), TWO_OF_8M))
        .withMessageContainingAll("plain:", "store.replication = 2", "have 1 copies");
  }

  @Test
  void aLocalDirectoryHasNone() {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> CheckpointStores.open(directory.toString(), TWO_OF_8M))
        .withMessageContainingAll(directory.toString(), "store.replication = 2", "store.blockSize");
  }

  @Test
  void valuesBeyondTheBoundsAreRejectedByName() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> blocks(0, 8 << 20))
        .withMessageContaining("store.replication is 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> blocks(513, 8 << 20))
        .withMessageContaining("store.replication is 513");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> blocks(1, 1 << 19))
        .withMessageContaining("store.blockSize is 524288 bytes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> blocks(1, (8 << 20) + 1))
        .withMessageContaining("multiple of 512");
  }
}
