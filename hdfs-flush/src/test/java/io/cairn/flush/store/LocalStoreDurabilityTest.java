package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A local store forces files and directories to the media, as the JVM records it. */
class LocalStoreDurabilityTest {
  @TempDir Path parent;
  @TempDir Path records;

  private interface Operation {
    void run() throws IOException;
  }

  /** The files and directories that an operation forces. */
  private List<Path> forcedBy(Operation operation) throws IOException {
    Path record = records.resolve("forces.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("jdk.FileForce").withoutThreshold();
      recording.start();
      operation.run();
      recording.stop();
      recording.dump(record);
    }
    return RecordingFile.readAllEvents(record).stream()
        .map(event -> Path.of(event.getString("path")))
        .toList();
  }

  private Path root() {
    return parent.resolve("store");
  }

  private LocalStore open(Durability durability) throws IOException {
    return LocalStore.open(root(), durability);
  }

  @Test
  void aNewStoreForcesTheDirectoryAboveIt() throws IOException {
    assertThat(forcedBy(() -> open(Durability.MEDIA).close())).contains(parent);
  }

  @Test
  void aNewFileForcesEachDirectoryUpToTheStore() throws IOException {
    LocalStore store = open(Durability.MEDIA);

    List<Path> forced = forcedBy(() -> store.create("job/run/file").close());

    assertThat(forced).contains(root(), root().resolve("job"), root().resolve("job/run"));
  }

  @Test
  void aSyncForcesTheFile() throws IOException {
    LocalStore store = open(Durability.MEDIA);
    try (StoreOutput out = store.create("job/file")) {
      out.write(ByteBuffer.allocate(10));

      assertThat(forcedBy(out::sync)).containsExactly(root().resolve("job/file"));
    }
  }

  @Test
  void aPublishForcesEachDirectoryUpToTheStore() throws IOException {
    LocalStore store = open(Durability.MEDIA);
    store.create("job/temporary").close();

    List<Path> forced = forcedBy(() -> store.publish("job/temporary", "job/final"));

    assertThat(forced).contains(root(), root().resolve("job"));
  }

  @Test
  void aReplacementForcesEachDirectoryUpToTheStore() throws IOException {
    LocalStore store = open(Durability.MEDIA);
    store.create("job/temporary").close();
    store.create("job/final").close();

    List<Path> forced = forcedBy(() -> store.replace("job/temporary", "job/final"));

    assertThat(forced).contains(root(), root().resolve("job"));
  }

  @Test
  void aStoreThatOutlivesProcessesOnlyForcesNothing() throws IOException {
    LocalStore store = open(Durability.PROCESS);

    List<Path> forced =
        forcedBy(
            () -> {
              try (StoreOutput out = store.create("job/file")) {
                out.sync();
              }
              store.publish("job/file", "job/final");
            });

    assertThat(forced).isEmpty();
  }
}
