package io.cairn.adjoint.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal whose disk is full for a while, or whose process was killed as it wrote. */
class JournalTest {
  private static final int CHUNK = 4096;

  @TempDir Path directory;

  private HistorySettings settings() {
    return settings(100);
  }

  private HistorySettings settings(long chunks) {
    return new HistorySettings(4 * CHUNK, CHUNK, directory, chunks * CHUNK);
  }

  private Path journal() {
    return directory.resolve("journal");
  }

  /** Of one chunk, which has the number of the step. */
  private static State state(int step) {
    return state(step, 1);
  }

  /** Of chunks that no state of another step has. */
  private static State state(int step, int chunks) {
    State state = new State();
    state.begin(step, new long[] {(long) chunks * CHUNK}, 1, CHUNK);
    for (int i = 0; i < chunks; i++) {
      state.below[i] = step * chunks + i;
    }
    return state;
  }

  private static void write(Journal journal, int step) throws IOException {
    write(journal, state(step));
  }

  private static void write(Journal journal, State state) throws IOException {
    journal.begin(state);
    journal.end(state);
  }

  private List<Long> found() throws IOException {
    return found(settings());
  }

  private static List<Long> found(HistorySettings settings) throws IOException {
    try (Journal journal = Journal.open(settings)) {
      return journal.states().stream().map(state -> state.step).sorted().toList();
    }
  }

  @Test
  void aRecordThatFailsVoidsNoOther() throws IOException {
    for (int bytes : new int[] {0, 1, 7, 40}) {
      FailingChannel file = FailingChannel.open(directory.resolve("journal"));
      try (Journal journal = Journal.open(settings(), path -> file)) {
        journal.clear();
        write(journal, 1);
        file.failAfter(bytes);
        assertThatIOException().isThrownBy(() -> journal.begin(state(2)));
        write(journal, 3);
        file.failAfter(bytes);
        assertThatIOException().isThrownBy(() -> write(journal, 4));
        write(journal, 5);
      }
      assertThat(found()).as("failed after %d bytes", bytes).containsExactly(1L, 3L, 5L);
    }
  }

  @Test
  void nothingFollowsARecordThatStaysCut() throws IOException {
    FailingChannel file = FailingChannel.open(directory.resolve("journal"));
    try (Journal journal = Journal.open(settings(), path -> file)) {
      write(journal, 1);
      file.failAfter(20);
      file.failTruncate();
      assertThatIOException().isThrownBy(() -> journal.begin(state(2)));
      assertThatIOException()
          .isThrownBy(() -> journal.begin(state(3)))
          .withMessageContaining("cut");
    }
    assertThat(found()).containsExactly(1L);
  }

  @Test
  void aJournalThatIsClearedTakesRecordsAgain() throws IOException {
    FailingChannel file = FailingChannel.open(directory.resolve("journal"));
    try (Journal journal = Journal.open(settings(), path -> file)) {
      write(journal, 1);
      file.failAfter(3);
      assertThatIOException().isThrownBy(journal::clear);
      assertThatIOException().isThrownBy(() -> journal.begin(state(2)));
      journal.clear();
      write(journal, 3);
    }
    assertThat(found()).containsExactly(3L);
  }

  @Test
  void anInterruptedRecordVoidsNoOther() throws IOException {
    try (Journal journal = Journal.open(settings())) {
      write(journal, 1);
      Thread.currentThread().interrupt();
      assertThatIOException().isThrownBy(() -> journal.begin(state(2)));
      assertThat(Thread.interrupted()).isTrue();
      write(journal, 3);
      Thread.currentThread().interrupt();
      assertThatIOException().isThrownBy(journal::clear);
      assertThat(Thread.interrupted()).isTrue();
      write(journal, 4);
    }
    assertThat(found()).containsExactly(4L);
  }

  /** Longer than an array; zeros are no record. */
  @Test
  void aJournalOfThreeGibibytesEndsNoOpening() throws IOException {
    try (Journal journal = Journal.open(settings())) {
      write(journal, 1);
    }
    try (RandomAccessFile file = new RandomAccessFile(journal().toFile(), "rw")) {
      file.setLength(3L << 30);
    }
    assertThat(found()).isEmpty();
  }

  /** The process was killed while it wrote the longer one. */
  @Test
  void aShortRecordFollowsALongOneThatWasCut() throws IOException {
    State longer = state(2, 20);
    for (int cut = 1; cut < StateRecord.bytes(longer); cut++) {
      Files.deleteIfExists(journal());
      try (Journal journal = Journal.open(settings())) {
        write(journal, state(1, 1));
        journal.begin(longer);
      }
      try (FileChannel file = FileChannel.open(journal(), StandardOpenOption.WRITE)) {
        file.truncate(file.size() - cut);
      }
      try (Journal journal = Journal.open(settings())) {
        write(journal, state(3, 1));
      }
      assertThat(found()).as("%d bytes were cut", cut).containsExactly(1L, 3L);
    }
  }

  /** A process was killed while it wrote a shorter journal, which names chunks of then. */
  @Test
  void nothingOfAJournalThatWasNeverInPlaceCounts() throws IOException {
    int chunks = 100_000;
    HistorySettings large = settings(6L * chunks);
    try (Journal old = Journal.open(large)) {
      for (int step = 1; step <= 4; step++) {
        write(old, state(step, chunks));
      }
    }
    Files.move(journal(), journal().resolveSibling("journal.next"));
    try (Journal journal = Journal.open(large)) {
      long before = 0;
      while (Files.size(journal()) >= before) {
        before = Files.size(journal());
        write(journal, state(5, chunks));
      }
    }

    assertThat(found(large)).containsExactly(5L);
  }
}
