package io.cairn.flush.store;

import static io.cairn.flush.store.StoreFiles.bytes;
import static io.cairn.flush.store.StoreFiles.names;
import static io.cairn.flush.store.StoreFiles.read;
import static io.cairn.flush.store.StoreFiles.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of every store. Subclasses supply a fresh, empty store. */
public abstract class CheckpointStoreContract extends ReplacementContract {
  private static final byte[] ONE = bytes(1, 1000);
  private static final byte[] TWO = bytes(2, 2000);

  @Test
  void openingLeavesNothingBehind() throws IOException {
    assertThat(store.list("")).isEmpty();
  }

  @Test
  void writesAndReadsHeapBuffers() throws IOException {
    ByteBuffer part = ByteBuffer.wrap(ONE, 100, 300);
    try (StoreOutput out = store.create("job/group/file")) {
      assertThat(out.position()).isZero();
      out.write(part);
      out.write(ByteBuffer.wrap(TWO).slice(500, 700));
      assertThat(out.position()).isEqualTo(1000);
      out.sync();
    }
    assertThat(part.hasRemaining()).isFalse();
    byte[] found = read(store, "job/group/file");
    assertThat(found).hasSize(1000);
    assertThat(ByteBuffer.wrap(found, 0, 300)).isEqualTo(ByteBuffer.wrap(ONE, 100, 300));
    assertThat(ByteBuffer.wrap(found, 300, 700)).isEqualTo(ByteBuffer.wrap(TWO, 500, 700));
  }

  @Test
  void writesAndReadsDirectBuffersLargerThanAnyCopyBuffer() throws IOException {
    byte[] content = bytes(3, 700_001);
    ByteBuffer direct = ByteBuffer.allocateDirect(content.length).put(content).flip();
    try (StoreOutput out = store.create("direct")) {
      out.write(direct);
      out.sync();
      assertThat(out.position()).isEqualTo(content.length);
    }
    assertThat(direct.hasRemaining()).isFalse();
    ByteBuffer back = ByteBuffer.allocateDirect(content.length - 7);
    try (StoreInput in = store.open("direct")) {
      assertThat(in.length()).isEqualTo(content.length);
      in.readFully(7, back);
    }
    assertThat(back.flip()).isEqualTo(ByteBuffer.wrap(content, 7, content.length - 7));
  }

  @Test
  void readsAtAnyPositionInAnyOrder() throws IOException {
    write(store, "file", TWO);
    try (StoreInput in = store.open("file")) {
      for (int position : new int[] {1999, 0, 1000, 7}) {
        ByteBuffer one = ByteBuffer.allocate(3).limit(2).position(1);
        in.readFully(position, one);
        assertThat(one.get(1)).isEqualTo(TWO[position]);
        assertThat(one.hasRemaining()).isFalse();
      }
    }
  }

  @Test
  void readingPastTheEndNamesFilePositionAndLength() throws IOException {
    write(store, "job/file", ONE);
    try (StoreInput in = store.open("job/file")) {
      assertThatExceptionOfType(EOFException.class)
          .isThrownBy(() -> in.readFully(990, ByteBuffer.allocate(11)))
          .withMessageContainingAll(store.describe(), "job/file", "990", "1000");
      assertThatExceptionOfType(EOFException.class)
          .isThrownBy(() -> in.readFully(Long.MAX_VALUE, ByteBuffer.allocate(1)));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> in.readFully(-1, ByteBuffer.allocate(1)))
          .withMessageContaining("-1");
      in.readFully(1000, ByteBuffer.allocate(0));
    }
  }

  @Test
  void keepsAnEmptyFile() throws IOException {
    write(store, "empty", new byte[0]);
    assertThat(store.list("")).containsExactly(new StoreEntry("empty", false, 0));
    assertThat(read(store, "empty")).isEmpty();
  }

  @Test
  void closesTwice() throws IOException {
    StoreOutput out = store.create("file");
    out.write(ByteBuffer.wrap(ONE));
    out.sync();
    out.close();
    out.close();
    assertThat(read(store, "file")).isEqualTo(ONE);
  }

  @Test
  void createsOnce() throws IOException {
    write(store, "job/file", ONE);
    assertThatExceptionOfType(FileAlreadyExistsException.class)
        .isThrownBy(() -> store.create("job/file"))
        .withMessageContainingAll(store.describe(), "job/file");
    assertThat(read(store, "job/file")).isEqualTo(ONE);
  }

  /** A store that shows a file when it is closed refuses the second one then. */
  @Test
  void createsOnceWhileTheFileIsOpen() throws IOException {
    StoreOutput out = store.create("file");
    assertThatExceptionOfType(FileAlreadyExistsException.class)
        .isThrownBy(
            () -> {
              try (StoreOutput second = store.create("file")) {
                out.write(ByteBuffer.wrap(ONE));
                out.sync();
                out.close();
                second.write(ByteBuffer.wrap(TWO));
                second.sync();
              }
            });
    if (out.position() == 0) {
      out.write(ByteBuffer.wrap(ONE));
      out.sync();
    }
    out.close();
    assertThat(read(store, "file")).isEqualTo(ONE);
  }

  @Test
  void createsNoFileOverADirectory() throws IOException {
    write(store, "job/file", ONE);
    assertThatExceptionOfType(FileAlreadyExistsException.class)
        .isThrownBy(() -> store.create("job"));
  }

  /** Whether a file and a directory of one name exclude each other. */
  protected boolean hasDirectories() {
    return true;
  }

  @Test
  void aFileInTheWayOfADirectoryIsNotTakenForAnExistingFile() throws IOException {
    assumeTrue(hasDirectories());
    write(store, "job", ONE);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> store.create("job/file"))
        .withMessageContainingAll(store.describe(), "job")
        .isNotInstanceOf(FileAlreadyExistsException.class);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> store.create("job/group/file"))
        .isNotInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void oneOfManyThreadsCreates() throws Exception {
    int threads = 4;
    CyclicBarrier start = new CyclicBarrier(threads);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      for (String name : List.of("a/1", "a/2", "b/3")) {
        List<Future<Boolean>> results =
            IntStream.range(0, threads)
                .mapToObj(i -> pool.submit(() -> createsAfter(start, name)))
                .toList();
        int winners = 0;
        for (Future<Boolean> result : results) {
          winners += result.get() ? 1 : 0;
        }
        assertThat(winners).as(name).isEqualTo(1);
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private boolean createsAfter(CyclicBarrier start, String name) throws Exception {
    start.await();
    try {
      store.create(name).close();
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  @Test
  void publishesAllBytesUnderTheNewNameAlone() throws IOException {
    write(store, "job/.tmp", ONE);
    store.publish("job/.tmp", "job/final");
    assertThat(store.list("job")).containsExactly(new StoreEntry("final", false, ONE.length));
    assertThat(read(store, "job/final")).isEqualTo(ONE);
    assertThat(store.delete("job/.tmp")).isFalse();
  }

  @Test
  void publishesOverNoFile() throws IOException {
    write(store, "job/.tmp", ONE);
    write(store, "job/final", TWO);
    assertThatExceptionOfType(FileAlreadyExistsException.class)
        .isThrownBy(() -> store.publish("job/.tmp", "job/final"))
        .withMessageContainingAll(store.describe(), "job/final");
    assertThat(read(store, "job/.tmp")).isEqualTo(ONE);
    assertThat(read(store, "job/final")).isEqualTo(TWO);
  }

  @Test
  void publishesNeitherOverNorIntoADirectory() throws IOException {
    write(store, "job/.tmp", ONE);
    write(store, "job/final/file", TWO);
    assertThatExceptionOfType(FileAlreadyExistsException.class)
        .isThrownBy(() -> store.publish("job/.tmp", "job/final"));
    assertThat(names(store, "job/final")).containsExactly("file");
    assertThat(read(store, "job/.tmp")).isEqualTo(ONE);
  }

  @Test
  void publishesNoMissingFile() throws IOException {
    write(store, "job/other", ONE);
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> store.publish("job/.tmp", "job/final"))
        .withMessageContainingAll(store.describe(), "job/.tmp");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> store.publish("job/.tmp", "job/other"));
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> store.publish("absent/.tmp", "absent/final"));
    assertThat(names(store, "job")).containsExactly("other");
    assertThat(read(store, "job/other")).isEqualTo(ONE);
  }

  @Test
  void publishesInOneDirectoryOnly() throws IOException {
    write(store, "job/.tmp", ONE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.publish("job/.tmp", "final"))
        .withMessageContainingAll("job/.tmp", "final");
    assertThatIllegalArgumentException().isThrownBy(() -> store.publish("job/.tmp", "job/.tmp"));
    assertThat(read(store, "job/.tmp")).isEqualTo(ONE);
  }

  @Test
  void oneOfManyThreadsPublishes() throws Exception {
    int threads = 4;
    CyclicBarrier start = new CyclicBarrier(threads);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Boolean>> results =
          IntStream.range(0, threads)
              .mapToObj(i -> pool.submit(() -> publishesAfter(start, i)))
              .toList();
      int winner = -1;
      for (int i = 0; i < threads; i++) {
        if (results.get(i).get()) {
          assertThat(winner).as("first winner").isEqualTo(-1);
          winner = i;
        }
      }
      assertThat(read(store, "race/final")).isEqualTo(bytes(winner, 5000));
      assertThat(names(store, "race")).hasSize(threads).doesNotContain(".tmp" + winner);
    } finally {
      pool.shutdownNow();
    }
  }

  private boolean publishesAfter(CyclicBarrier start, int writer) throws Exception {
    write(store, "race/.tmp" + writer, bytes(writer, 5000));
    start.await();
    try {
      store.publish("race/.tmp" + writer, "race/final");
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  @Test
  void opensNoMissingFileAndNoDirectory() throws IOException {
    write(store, "job/file", ONE);
    for (String absent : List.of("job/absent", "absent/file")) {
      assertThatExceptionOfType(NoSuchFileException.class)
          .isThrownBy(() -> store.open(absent))
          .withMessageContainingAll(store.describe(), absent);
    }
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> store.open("job"))
        .withMessageContainingAll(store.describe(), "job", "directory")
        .isNotInstanceOf(NoSuchFileException.class);
  }

  @Test
  void listsFilesAndDirectoriesByName() throws IOException {
    write(store, "job/b", ONE);
    write(store, "job/.hidden", TWO);
    write(store, "job/a/deep/file", TWO);
    assertThat(store.list("job"))
        .containsExactly(
            new StoreEntry(".hidden", false, TWO.length),
            new StoreEntry("a", true, 0),
            new StoreEntry("b", false, ONE.length));
    assertThat(store.list("")).containsExactly(new StoreEntry("job", true, 0));
    assertThat(store.list("absent")).isEmpty();
    assertThat(store.list("absent/absent")).isEmpty();
  }

  @Test
  void listsNoFile() throws IOException {
    write(store, "job/file", ONE);
    assertThatExceptionOfType(NotDirectoryException.class)
        .isThrownBy(() -> store.list("job/file"))
        .withMessageContainingAll(store.describe(), "job/file");
  }

  @Test
  void deletesAFileOnce() throws IOException {
    write(store, "job/file", ONE);
    assertThat(store.delete("job/file")).isTrue();
    assertThat(store.delete("job/file")).isFalse();
    assertThat(store.delete("absent/file")).isFalse();
    assertThat(names(store, "job")).isEmpty();
    write(store, "job/file", TWO);
    assertThat(read(store, "job/file")).isEqualTo(TWO);
  }

  @Test
  void deletesADirectoryOnlyWhenTold() throws IOException {
    write(store, "job/a/b/file", ONE);
    write(store, "job/a/file", TWO);
    write(store, "job/ab", ONE);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> store.delete("job/a"))
        .withMessageContainingAll(store.describe(), "job/a", "directory");
    assertThatExceptionOfType(NotDirectoryException.class)
        .isThrownBy(() -> store.deleteDirectory("job/ab"))
        .withMessageContainingAll(store.describe(), "job/ab");
    assertThat(store.deleteDirectory("job/a")).isTrue();
    assertThat(store.deleteDirectory("job/a")).isFalse();
    assertThat(names(store, "job")).containsExactly("ab");
    assertThat(store.list("job/a")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../up",
        "/absolute",
        "a//b",
        "a/",
        "..",
        ".",
        "a/./b",
        "a/../b",
        "a b",
        "a\\b",
        "a:b",
        "ä",
        "a\nb"
      })
  void acceptsNoPathThatLeavesTheRootOrNeedsEscaping(String path) {
    assertThatIllegalArgumentException().isThrownBy(() -> store.create(path));
    assertThatIllegalArgumentException().isThrownBy(() -> store.open(path));
    assertThatIllegalArgumentException().isThrownBy(() -> store.list(path));
    assertThatIllegalArgumentException().isThrownBy(() -> store.delete(path));
    assertThatIllegalArgumentException().isThrownBy(() -> store.deleteDirectory(path));
    assertThatIllegalArgumentException().isThrownBy(() -> store.publish(path, "x"));
    assertThatIllegalArgumentException().isThrownBy(() -> store.publish("x", path));
  }

  @Test
  void deletesNotTheRoot() throws IOException {
    write(store, "file", ONE);
    assertThatIllegalArgumentException().isThrownBy(() -> store.deleteDirectory(""));
    assertThat(names(store, "")).containsExactly("file");
  }

  @Test
  void passesTheProbe() throws IOException {
    StoreProbe.require(store);
    assertThat(store.list("")).isEmpty();
  }
}
