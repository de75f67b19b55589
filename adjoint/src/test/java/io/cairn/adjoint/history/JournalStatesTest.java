package io.cairn.adjoint.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class JournalStatesTest {
  private static final int CHUNK = 4096;
  private static final int CHUNKS = 30;

  private final JournalStates states =
      new JournalStates(
          new HistorySettings(4 * CHUNK, CHUNK, Path.of("none"), (long) CHUNKS * CHUNK));

  /** Of one region of up to three chunks that follow each other. */
  private static State state(SplittableRandom random) {
    State state = new State();
    state.begin(random.nextInt(20), new long[] {random.nextInt(3 * CHUNK)}, 1, CHUNK);
    int first = random.nextInt(CHUNKS - 3);
    for (int i = 0; i < state.chunks; i++) {
      state.below[i] = first + i;
    }
    return state;
  }

  @Test
  void countsTheBytesOfTheStatesThatAreLeft() {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 1000; i++) {
      switch (random.nextInt(20)) {
        case 0 -> states.clear();
        case 1, 2, 3, 4 -> states.begin(state(random));
        default -> states.end(state(random));
      }
      long left = states.all().stream().mapToLong(StateRecord::bytes).sum();
      assertThat(states.bytes()).as("after %d changes", i + 1).isEqualTo(left);
    }
    assertThat(states.all()).isNotEmpty();
  }
}
