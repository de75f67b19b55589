package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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

  private URI uri(String scheme) {
    return URI.create(scheme + "://" + directory + "/store");
  }
}
