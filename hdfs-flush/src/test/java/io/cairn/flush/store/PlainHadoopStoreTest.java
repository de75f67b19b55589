package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract over a Hadoop file system that offers the plain rename only. */
class PlainHadoopStoreTest extends CheckpointStoreContract {
  @TempDir Path directory;

  @Override
  protected boolean replaces() {
    return false;
  }

  @Override
  protected CheckpointStore openEmpty() throws IOException {
    return HadoopStore.open(uri("plain"), PlainFileSystem.configuration());
  }

  @Test
  void refusesARenameThatOverwrites() {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> HadoopStore.open(uri("overwriting"), PlainFileSystem.configuration()))
        .withMessageContainingAll("overwriting:", "lacks publish-if-absent", "HDFS");
  }

  @Test
  void refusesAStreamThatOnlyFlushes() {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> HadoopStore.open(uri("unsyncable"), PlainFileSystem.configuration()))
        .withMessageContainingAll("unsyncable:", "lacks", "sync", "hsync", "HDFS");
  }

  /** A process that receives SIGTERM saves its newest checkpoint beside Hadoop's hook. */
  @Test
  void isOpenUntilItsOwnerClosesIt() throws Exception {
    try (ChildProcess writer =
        Command.java(LastWriter.class, directory.resolve("store")).small(128).start()) {
      assertThat(writer.rest()).containsExactly("WRITTEN");
    }
  }

  private URI uri(String scheme) {
    return URI.create(scheme + "://" + directory + "/store");
  }
}
