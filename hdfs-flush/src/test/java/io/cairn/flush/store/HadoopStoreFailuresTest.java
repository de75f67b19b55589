package io.cairn.flush.store;

import static io.cairn.flush.store.StoreFiles.bytes;
import static io.cairn.flush.store.StoreFiles.names;
import static io.cairn.flush.store.StoreFiles.read;
import static io.cairn.flush.store.StoreFiles.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cairn.process.FreePort;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HadoopStoreFailuresTest {
  private static final byte[] CONTENT = bytes(1, 1000);

  private final Configuration conf = EmbeddedHdfs.impatientClient();
  private URI root;

  @BeforeEach
  void nameRoot() {
    root = EmbeddedHdfs.freshRoot();
  }

  @Test
  void refusesAnHdfsThatIsNotThere() throws IOException {
    URI nobody = URI.create("hdfs://127.0.0.1:" + FreePort.find() + "/store");
    assertRefused(nobody, "cannot be reached");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> HadoopStore.openForReading(nobody, conf))
        .withMessageContainingAll(nobody.toString(), "cannot be reached");
  }

  @Test
  void refusesAHostThatDoesNotExist() {
    assertRefused(URI.create("hdfs://no-such-host.invalid/store"), "host is unknown");
  }

  @Test
  void refusesASchemeWithoutFileSystem() {
    assertRefused(URI.create("nosuch://host/store"), "scheme");
  }

  @Test
  void isReadOnlyInSafeMode() throws IOException {
    CheckpointStore store = HadoopStore.open(root, conf);
    write(store, "job/.tmp", CONTENT);
    try (FileSystem files = FileSystem.newInstance(root, conf)) {
      DistributedFileSystem hdfs = (DistributedFileSystem) files;
      hdfs.setSafeMode(SafeModeAction.ENTER);
      try {
        assertRefused(root, "safe mode");
        assertFails(() -> store.create("job/file"), "safe mode");
        assertFails(() -> store.publish("job/.tmp", "job/final"), "safe mode");
        assertFails(() -> store.delete("job/.tmp"), "safe mode");
        try (CheckpointStore reading = HadoopStore.openForReading(root, conf)) {
          assertThat(read(reading, "job/.tmp")).isEqualTo(CONTENT);
        }
      } finally {
        hdfs.setSafeMode(SafeModeAction.LEAVE);
      }
    }
    store.publish("job/.tmp", "job/final");
    assertThat(names(store, "job")).containsExactly("final");
    store.close();
  }

  @Test
  void refusesAFile() throws IOException {
    try (CheckpointStore above = HadoopStore.open(root, conf)) {
      write(above, "file", CONTENT);
      assertRefused(URI.create(root + "/file"), "not a directory");
      assertRefused(URI.create(root + "/file/below"), "not a directory");
      assertThat(read(above, "file")).isEqualTo(CONTENT);
    }
  }

  @Test
  void aStoreThatVanishedIsNotAnEmptyOne() throws IOException {
    CheckpointStore store = HadoopStore.open(root, conf);
    write(store, "job/file", CONTENT);
    try (FileSystem files = FileSystem.newInstance(root, conf)) {
      files.delete(new Path(root), true);
      assertFails(() -> store.create("job/file"), "gone");
      assertFails(() -> store.create("file"), "gone");
      assertFails(() -> store.publish("job/file", "job/final"), "gone");
      assertFails(() -> store.open("job/file"), "gone");
      assertFails(() -> store.list("job"), "gone");
      assertFails(() -> store.list(""), "gone");
      assertFails(() -> store.delete("job/file"), "gone");
      assertFails(() -> store.deleteDirectory("job"), "gone");
      assertThat(files.exists(new Path(root))).isFalse();
    }
    assertFails(() -> HadoopStore.openForReading(root, conf), "removed");
    store.close();
  }

  @Test
  void aClosedStoreSaysSo() throws IOException {
    CheckpointStore store = HadoopStore.open(root, conf);
    CheckpointStore other = HadoopStore.open(root, conf);
    store.close();
    assertFails(() -> store.create("file"), "closed");
    write(other, "file", CONTENT);
    other.close();
  }

  @Test
  void aFileOfAnotherClientThatIsStillOpenExists() throws IOException {
    try (CheckpointStore one = HadoopStore.open(root, conf);
        CheckpointStore other = HadoopStore.open(root, conf);
        StoreOutput out = one.create("file")) {
      assertThatExceptionOfType(FileAlreadyExistsException.class)
          .isThrownBy(() -> other.create("file"));
      out.write(ByteBuffer.wrap(CONTENT));
      out.sync();
    }
  }

  @Test
  void belongsToItsOwnerAlone() throws IOException {
    try (CheckpointStore store = HadoopStore.open(root, conf);
        FileSystem files = FileSystem.newInstance(root, conf)) {
      write(store, "job/group/file", CONTENT);
      for (String directory : new String[] {"", "/job", "/job/group"}) {
        assertThat(permissions(files, directory)).as(directory).isEqualTo("rwx------");
      }
      assertThat(permissions(files, "/job/group/file")).isEqualTo("rw-------");
    }
  }

  private String permissions(FileSystem files, String path) throws IOException {
    return files.getFileStatus(new Path(root + path)).getPermission().toString();
  }

  @Test
  void spansBlocks() throws IOException {
    conf.setLong("dfs.blocksize", 1 << 20);
    byte[] content = bytes(2, (5 << 20) / 2);
    try (CheckpointStore store = HadoopStore.open(root, conf)) {
      long before = EmbeddedHdfs.blockSyncs();
      write(store, "file", content);
      assertThat(EmbeddedHdfs.blockSyncs() - before).as("blocks synced").isGreaterThanOrEqualTo(3);
      assertThat(read(store, "file")).isEqualTo(content);
    }
  }

  private void assertRefused(URI uri, String why) {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> HadoopStore.open(uri, conf))
        .withMessageContainingAll("cannot use store " + uri, why);
  }

  private void assertFails(ThrowingCallable call, String why) {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(call)
        .withMessageContaining(root.toString())
        .withMessageContaining(why)
        .isNotInstanceOf(NoSuchFileException.class);
  }
}
