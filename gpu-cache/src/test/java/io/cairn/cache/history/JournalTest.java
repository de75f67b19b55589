package io.cairn.cache.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records of a journal whose disk is full for a while. */
class JournalTest {
  private static final int CHUNK = 4096;

  @TempDir Path directory;

  private HistorySettings settings() {
    return new HistorySettings(4 * CHUNK, CHUNK, directory, 100 * CHUNK);
  }

  /** Of one chunk, which has the number of the step. */
  private static State state(int step) {
    State state = new State();
    state.begin(step, new long[] {CHUNK}, 1, CHUNK);
    state.below[0] = step;
    return state;
  }

  private static void write(Journal journal, int step) throws IOException {
    journal.begin(state(step));
    journal.end(state(step));
  }

  private List<Long> found() throws IOException {
    try (Journal journal = Journal.open(settings())) {
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
}
