package io.cairn.flush.store;

import static io.cairn.flush.store.StoreFiles.bytes;
import static io.cairn.flush.store.StoreFiles.names;
import static io.cairn.flush.store.StoreFiles.read;
import static io.cairn.flush.store.StoreFiles.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LocalStoreFailuresTest {
  private static final byte[] CONTENT = bytes(1, 1000);

  @TempDir Path directory;
  private Path root;

  @BeforeEach
  void nameRoot() {
    root = directory.resolve("store");
  }

  @Test
  void aReasonIsNeverAPathAlone() {
    assertThat(StoreErrors.reason(new AccessDeniedException("/x")))
        .isEqualTo("access is denied to this user");
    assertThat(StoreErrors.reason(new FileSystemLoopException("/x")))
        .isEqualTo("FileSystemLoopException");
    assertThat(StoreErrors.reason(new FileSystemException("/x", null, "Too many links")))
        .isEqualTo("/x: Too many links");
    assertThat(StoreErrors.reason(new IOException("full\nat x"))).isEqualTo("full");
    assertThat(StoreErrors.reason(new IOException())).isEqualTo("IOException");
  }

  @Test
  void refusesAReadOnlyPlaceAndReadsFromIt() throws IOException {
    Files.createDirectory(root);
    try (ScratchMount mount = ScratchMount.mount(root)) {
      write(open(root), "job/file", CONTENT);
      mount.makeReadOnly();
      assertRefused(root, "read-only");
      assertRefused(root.resolve("below"), "read-only");
      try (CheckpointStore reading = LocalStore.openForReading(root)) {
        assertThat(read(reading, "job/file")).isEqualTo(CONTENT);
      }
    }
  }

  @Test
  void keepsEverythingWhenThePlaceBecomesReadOnly() throws IOException {
    Files.createDirectory(root);
    try (ScratchMount mount = ScratchMount.mount(root)) {
      CheckpointStore store = open(root);
      write(store, "job/.tmp", CONTENT);
      mount.makeReadOnly();
      assertThatError(() -> store.create("job/new")).hasMessageContaining("job/new");
      assertThatError(() -> store.publish("job/.tmp", "job/final"))
          .hasMessageContaining("Read-only");
      assertThatError(() -> store.delete("job/.tmp")).hasMessageContaining("Read-only");
      assertThatError(() -> store.deleteDirectory("job")).hasMessageContaining("Read-only");
      assertThat(names(store, "job")).containsExactly(".tmp");
    }
  }

  @Test
  void refusesAFullPlace() throws IOException {
    Files.createDirectory(root);
    try (ScratchMount mount = ScratchMount.mount(root)) {
      open(root).close();
      mount.fill();
      assertRefused(root, "full");
      assertThat(root).isDirectoryNotContaining(file -> !file.endsWith("filler"));
    }
  }

  @Test
  void saysWhereItFilledUpAndGoesOnWhenThereIsRoomAgain() throws IOException {
    Files.createDirectory(root);
    try (ScratchMount mount = ScratchMount.mount(root);
        CheckpointStore store = open(mount.directory())) {
      write(store, "job/first", CONTENT);
      try (StoreOutput out = store.create("job/large")) {
        assertThatError(() -> out.write(ByteBuffer.allocateDirect(2 << 20)))
            .hasMessageContainingAll("job/large", "No space left", "at byte " + out.position());
        assertThat(out.position()).isPositive();
      }
      assertThat(read(store, "job/first")).isEqualTo(CONTENT);
      assertThat(store.delete("job/large")).isTrue();
      write(store, "job/second", CONTENT);
      assertThat(read(store, "job/second")).isEqualTo(CONTENT);
    }
  }

  @Test
  void aStoreThatVanishedIsNotAnEmptyOne() throws IOException {
    CheckpointStore store = open(root);
    write(store, "job/file", CONTENT);
    LocalDirectories.delete(root);
    assertGone(() -> store.create("job/file"));
    assertGone(() -> store.create("file"));
    assertGone(() -> store.publish("job/file", "job/final"));
    assertGone(() -> store.open("job/file"));
    assertGone(() -> store.list("job"));
    assertGone(() -> store.list(""));
    assertGone(() -> store.delete("job/file"));
    assertGone(() -> store.deleteDirectory("job"));
    assertThat(root).doesNotExist();
  }

  private void assertGone(ThrowingCallable call) {
    assertThatError(call)
        .hasMessageContainingAll(root.toString(), "gone")
        .isNotInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aDirectoryThatVanishedIsMadeAgain() throws IOException {
    CheckpointStore store = open(root);
    write(store, "job/group/file", CONTENT);
    LocalDirectories.delete(root.resolve("job"));
    assertThat(store.list("job/group")).isEmpty();
    write(store, "job/group/other", CONTENT);
    assertThat(names(store, "job/group")).containsExactly("other");
  }

  @Test
  void refusesAFileAndAPlaceWithoutParent() throws IOException {
    Files.write(root, CONTENT);
    assertRefused(root, "not a directory");
    assertRefused(root.resolve("below"), root + " above it is a file");
    Path orphan = directory.resolve("absent/store");
    assertRefused(orphan, directory.resolve("absent").toString());
    assertThat(orphan.getParent()).doesNotExist();
    assertThat(root).hasBinaryContent(CONTENT);
    assertThatError(() -> LocalStore.openForReading(orphan)).hasMessageContaining("gone");
    assertThatError(() -> LocalStore.openForReading(root)).hasMessageContaining("not a directory");
  }

  @Test
  void aFileThatShrinksWhileItIsReadIsAnError() throws IOException {
    CheckpointStore store = open(root);
    write(store, "file", CONTENT);
    try (StoreInput in = store.open("file")) {
      Files.write(root.resolve("file"), new byte[10]);
      assertThatExceptionOfType(EOFException.class)
          .isThrownBy(() -> in.readFully(0, ByteBuffer.allocate(1000)))
          .withMessageContainingAll("file", "10", "1000");
    }
  }

  @Test
  void belongsToItsOwnerAlone() throws IOException {
    CheckpointStore store = open(root);
    write(store, "job/group/file", CONTENT);
    for (String made : new String[] {"", "job", "job/group"}) {
      assertThat(permissions(root.resolve(made))).as(made).isEqualTo("rwx------");
    }
    assertThat(permissions(root.resolve("job/group/file"))).isEqualTo("rw-------");
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void followsNoLinkOutOfTheStore() throws IOException {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Files.write(outside.resolve("file"), CONTENT);
    CheckpointStore store = open(root);
    write(store, "job/own", CONTENT);
    Files.createSymbolicLink(root.resolve("job/directory"), outside);
    Files.createSymbolicLink(root.resolve("job/file"), outside.resolve("file"));
    assertThatError(() -> store.open("job/file")).hasMessageContaining("job/file");
    assertThatExceptionOfType(FileAlreadyExistsException.class)
        .isThrownBy(() -> store.create("job/file"));
    assertThatError(() -> store.deleteDirectory("job/directory"));
    assertThatError(() -> store.open("job/directory/file")).hasMessageContaining("job/directory");
    assertThatError(() -> store.create("job/directory/new")).hasMessageContaining("job/directory");
    assertThatError(() -> store.delete("job/directory/file"));
    assertThatError(() -> store.list("job/directory")).hasMessageContaining("job/directory");
    assertThat(store.deleteDirectory("job")).isTrue();
    assertThat(outside.resolve("file")).hasBinaryContent(CONTENT);
  }

  /** To open a pipe for reading waits for its writer, perhaps for ever. */
  @Test
  @Timeout(value = 60, threadMode = SEPARATE_THREAD)
  void aPipeIsNotOpened() throws Exception {
    CheckpointStore store = open(root);
    write(store, "job/own", CONTENT);
    Path pipe = root.resolve("job/MANIFEST");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

    assertThatError(() -> store.open("job/MANIFEST")).hasMessageContaining("job/MANIFEST");

    assertThat(store.deleteDirectory("job")).isTrue();
  }

  @Test
  void aPublicationThatDiedHalfwayLeavesTheSameBytesUnderBothNames() throws IOException {
    CheckpointStore store = open(root);
    write(store, "job/.tmp", CONTENT);
    Files.createLink(root.resolve("job/final"), root.resolve("job/.tmp"));
    assertThatExceptionOfType(FileAlreadyExistsException.class)
        .isThrownBy(() -> store.publish("job/.tmp", "job/final"));
    assertThat(store.delete("job/.tmp")).isTrue();
    assertThat(read(store, "job/final")).isEqualTo(CONTENT);
  }

  private static CheckpointStore open(Path path) throws IOException {
    return LocalStore.open(path, Durability.MEDIA);
  }

  private static void assertRefused(Path path, String why) {
    assertThatError(() -> open(path)).hasMessageContainingAll(path.toString(), why);
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> assertThatError(
      ThrowingCallable call) {
    return assertThatThrownBy(call).isInstanceOf(IOException.class);
  }
}
