package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys of the Hadoop configuration that one store has, such as those of its blocks. */
class StoreHadoopTest {
  private static final Map<String, String> TWO_OF_8M =
      Map.of("dfs.replication", "2", "dfs.blocksize", "8m");

  private final Configuration client = EmbeddedHdfs.impatientClient();

  @TempDir Path directory;

  private FileStatus written(URI root, CheckpointStore store) throws IOException {
    StoreFiles.write(store, "d/file", new byte[3]);
    try (FileSystem files = FileSystem.newInstance(root, client)) {
      return files.getFileStatus(new org.apache.hadoop.fs.Path(root + "/d/file"));
    }
  }

  @Test
  void filesGetTheBlocksThatWereAskedFor() throws IOException {
    URI root = EmbeddedHdfs.freshRoot();

    try (CheckpointStore store = CheckpointStores.open(root.toString(), client, TWO_OF_8M)) {
      FileStatus file = written(root, store);

      assertThat(file.getReplication()).isEqualTo((short) 2);
      assertThat(file.getBlockSize()).isEqualTo(8 << 20);
      assertThat(store.list("")).extracting(StoreEntry::name).containsExactly("d");
    }
    assertThat(client.get("dfs.blocksize")).isNotEqualTo("8m");
  }

  @Test
  void aStoreThatWasProbedWritesThemToo() throws IOException {
    URI root = EmbeddedHdfs.freshRoot();
    CheckpointStores.open(root.toString(), client, TWO_OF_8M).close();

    try (CheckpointStore store = CheckpointStores.openProbed(root.toString(), client, TWO_OF_8M)) {
      assertThat(written(root, store).getBlockSize()).isEqualTo(8 << 20);
    }
    try (CheckpointStore store =
        CheckpointStores.openUnprobed(root.toString(), client, Map.of("dfs.replication", "3"))) {
      StoreFiles.write(store, "d/more", new byte[3]);
      try (FileSystem files = FileSystem.newInstance(root, client)) {
        assertThat(
                files
                    .getFileStatus(new org.apache.hadoop.fs.Path(root + "/d/more"))
                    .getReplication())
            .isEqualTo((short) 3);
      }
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
  void aBlockSizeThatHdfsRejectsRefusesTheStore() {
    Map<String, String> small = Map.of("dfs.blocksize", "512");

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> CheckpointStores.open(EmbeddedHdfs.freshRoot().toString(), client, small))
        .withMessageContainingAll(
            "cannot use store hdfs:", "dfs.namenode.fs-limits.min-block-size");
  }

  @ParameterizedTest
  @CsvSource({
    "dfs.replication,two",
    "dfs.blocksize,8x",
    "dfs.client.socket-timeout,soon",
    "dfs.blocksize,1048577",
  })
  void anIllegalValueIsRefusedByItsKey(String key, String value) {
    assertThatExceptionOfType(StoreRefusedException.class)
        .isThrownBy(
            () ->
                CheckpointStores.open(
                        EmbeddedHdfs.freshRoot().toString(), client, Map.of(key, value))
                    .close())
        .withMessageContaining("store.hadoop.%s = %s".formatted(key, value))
        .withMessageContaining("correct the value, or leave the key out");
  }

  @Test
  void anIllegalValueOfAFileIsNamedWithTheFile() {
    Configuration file = new Configuration(client);
    file.set("dfs.replication", "two", "hdfs-site.xml");

    assertThatExceptionOfType(StoreRefusedException.class)
        .isThrownBy(() -> HadoopStore.open(EmbeddedHdfs.freshRoot(), file).close())
        .withMessageContaining("dfs.replication (hdfs-site.xml) = two");
  }

  @Test
  void anErrorThatQuotesNoGivenValueIsNotBlamedOnOne() {
    Configuration conf = HadoopValues.with(client, Map.of("dfs.replication", "2", "a.secret", "s"));

    assertThat(HadoopValues.refusal("hdfs://a/b", conf, new IllegalArgumentException("got 12-2")))
        .isEmpty();
    assertThat(HadoopValues.refusal("hdfs://a/b", conf, new IOException("2"))).isEmpty();
    assertThat(HadoopValues.refusal("hdfs://a/b", conf, new IllegalArgumentException("a.secret!")))
        .hasValueSatisfying(e -> assertThat(e).hasMessageContaining("store.hadoop.a.secret (a"));
  }

  @Test
  void aLocalDirectoryHasNone() {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> CheckpointStores.open(directory.toString(), TWO_OF_8M))
        .withMessageContainingAll(
            directory.toString(), "store.hadoop.dfs.blocksize, store.hadoop.dfs.replication");
  }
}
