package io.cairn.flush.store;

import static io.cairn.flush.store.StoreFiles.bytes;
import static io.cairn.flush.store.StoreFiles.names;
import static io.cairn.flush.store.StoreFiles.read;
import static io.cairn.flush.store.StoreFiles.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The part of a store's contract about files that replace others. */
abstract class ReplacementContract {
  private static final byte[] OLD = bytes(1, 1000);
  private static final byte[] NEW = bytes(2, 2000);

  CheckpointStore store;

  /** A store whose root is empty; the suite closes it. */
  protected abstract CheckpointStore openEmpty() throws IOException;

  /** Whether the store replaces a file in one step. */
  protected boolean replaces() {
    return true;
  }

  @BeforeEach
  void openStore() throws IOException {
    store = openEmpty();
  }

  @AfterEach
  void closeStore() throws IOException {
    store.close();
  }

  @Test
  void replacesAFileOrChangesNothing() throws IOException {
    write(store, "job/file", OLD);
    write(store, "job/good", NEW);

    assertThat(store.replace("job/good", "job/file")).isEqualTo(replaces());

    assertThat(read(store, "job/file")).isEqualTo(replaces() ? NEW : OLD);
    assertThat(names(store, "job"))
        .isEqualTo(replaces() ? List.of("file") : List.of("file", "good"));
  }

  @Test
  void replacesAFileThatIsAbsent() throws IOException {
    assumeTrue(replaces());
    write(store, "job/good", NEW);

    assertThat(store.replace("job/good", "job/file")).isTrue();

    assertThat(read(store, "job/file")).isEqualTo(NEW);
    assertThat(names(store, "job")).containsExactly("file");
  }

  @Test
  void replacesNothingByAMissingFile() throws IOException {
    assumeTrue(replaces());
    write(store, "job/file", OLD);

    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> store.replace("job/good", "job/file"))
        .withMessageContainingAll(store.describe(), "job/good");

    assertThat(read(store, "job/file")).isEqualTo(OLD);
  }

  @Test
  void replacesNoDirectory() throws IOException {
    assumeTrue(replaces());
    write(store, "job/directory/file", OLD);
    write(store, "job/good", NEW);

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> store.replace("job/good", "job/directory"));

    assertThat(read(store, "job/directory/file")).isEqualTo(OLD);
    assertThat(read(store, "job/good")).isEqualTo(NEW);
  }

  @Test
  void replacesInOneDirectoryOnly() {
    assumeTrue(replaces());
    assertThatIllegalArgumentException().isThrownBy(() -> store.replace("a/file", "b/file"));
  }

  /** A reader that has opened one of the files may lose it; each opening finds one of them. */
  @Test
  void readersFindOneOfTheFilesAtAnyTime() throws Exception {
    assumeTrue(replaces());
    write(store, "job/file", OLD);
    AtomicBoolean ended = new AtomicBoolean();
    CountDownLatch opened = new CountDownLatch(1);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<Set<Long>> lengths =
          thread.submit(
              () -> {
                Set<Long> seen = new HashSet<>();
                while (!ended.get()) {
                  try (StoreInput in = store.open("job/file")) {
                    seen.add(in.length());
                    opened.countDown();
                  }
                }
                return seen;
              });
      assertThat(opened.await(30, TimeUnit.SECONDS)).isTrue();
      for (int i = 0; i < 20; i++) {
        write(store, "job/good", i % 2 == 0 ? NEW : OLD);
        assertThat(store.replace("job/good", "job/file")).isTrue();
      }
      ended.set(true);
      assertThat(lengths.get()).isNotEmpty().isSubsetOf((long) OLD.length, (long) NEW.length);
    } finally {
      ended.set(true);
      thread.shutdown();
    }
  }
}
