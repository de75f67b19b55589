package io.cairn.flush.store;

import static io.cairn.flush.store.StoreFiles.bytes;
import static io.cairn.flush.store.StoreFiles.names;
import static io.cairn.flush.store.StoreFiles.read;
import static io.cairn.flush.store.StoreFiles.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract over an object store, and what holds there alone. */
class ConditionalPutStoreTest extends CheckpointStoreContract {
  private static final byte[] MANIFEST = bytes(7, 300);

  @TempDir Path directory;

  @Override
  protected boolean replaces() {
    return false;
  }

  @Override
  protected CheckpointStore openEmpty() throws IOException {
    return open("objects", "store");
  }

  @Override
  protected boolean hasDirectories() {
    return false;
  }

  @AfterEach
  void heal() {
    ObjectFileSystem.heal();
  }

  private CheckpointStore open(String scheme, String name) throws IOException {
    URI uri = URI.create(scheme + "://" + directory + "/" + name);
    return HadoopStore.open(uri, ObjectFileSystem.configuration());
  }

  @Test
  void anObjectAppearsWhenItIsClosed() throws IOException {
    try (CheckpointStore store = open("objects", "late")) {
      StoreOutput out = store.create("job/file");
      out.sync();
      assertThat(store.list("job")).isEmpty();

      out.close();

      assertThat(names(store, "job")).containsExactly("file");
    }
  }

  /** Its writer failed, as when the source of a copy cannot be read. */
  @Test
  void anObjectWhoseBytesWereNotSyncedIsDropped() throws IOException {
    try (CheckpointStore store = open("objects", "part")) {
      try (StoreOutput out = store.create("job/file")) {
        out.write(ByteBuffer.wrap(MANIFEST));
        out.sync();
        out.write(ByteBuffer.wrap(MANIFEST));
      }
      assertThat(store.list("job")).isEmpty();

      write(store, "job/file", MANIFEST);

      assertThat(read(store, "job/file")).isEqualTo(MANIFEST);
    }
  }

  @Test
  void theWriterThatClosesSecondIsRefused() throws IOException {
    try (CheckpointStore store = open("objects", "two")) {
      StoreOutput first = store.create("job/file");
      StoreOutput second = store.create("job/file");
      first.close();

      assertThatExceptionOfType(FileAlreadyExistsException.class)
          .isThrownBy(second::close)
          .withMessageContainingAll(store.describe(), "job/file");
    }
  }

  /** The put may still take effect, so the delete of the temporary object proves nothing. */
  @Test
  void theDeleteOfAPublicationInDoubtProvesNothing() throws IOException {
    try (CheckpointStore store = open("objects", "doubt")) {
      write(store, "job/.tmp", MANIFEST);
      ObjectFileSystem.delay("final");
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> store.publish("job/.tmp", "job/final"))
          .isNotInstanceOf(FileAlreadyExistsException.class);

      boolean proven = store.delete("job/.tmp");

      assertThat(proven).isFalse();
      assertThat(names(store, "job")).isEmpty();
      ObjectFileSystem.deliver();
      assertThat(read(store, "job/final")).isEqualTo(MANIFEST);
    }
  }

  @Test
  void aPublicationThatAnotherOneForestalledIsInNoDoubt() throws IOException {
    try (CheckpointStore store = open("objects", "forestalled")) {
      write(store, "job/.tmp", MANIFEST);
      write(store, "job/final", bytes(8, 10));
      assertThatExceptionOfType(FileAlreadyExistsException.class)
          .isThrownBy(() -> store.publish("job/.tmp", "job/final"));

      assertThat(store.delete("job/.tmp")).isTrue();
    }
  }

  @Test
  void aPutWhoseReplyIsLostIsPublished() throws IOException {
    try (CheckpointStore store = open("objects", "lost")) {
      write(store, "job/.tmp", MANIFEST);
      ObjectFileSystem.loseReplies("final");

      store.publish("job/.tmp", "job/final");

      assertThat(read(store, "job/final")).isEqualTo(MANIFEST);
      assertThat(names(store, "job")).containsExactly("final");
    }
  }

  @Test
  void refusesAnObjectStoreWithoutConditionalPuts() {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> open("unconditional", "store"))
        .withMessageContainingAll("unconditional:", "lacks", "S3A");
  }

  @Test
  void refusesAnObjectStoreThatReplacesWhatIsThere() {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> open("lying", "store"))
        .withMessageContainingAll("lying:", "lacks exclusive create", "two writers");
  }
}
