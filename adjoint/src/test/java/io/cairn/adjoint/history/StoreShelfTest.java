package io.cairn.adjoint.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.flush.format.MemoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that was fenced writes on beside its successor, to the same store. */
class StoreShelfTest {
  private static final int CHUNK = 4096;

  @TempDir Path directory;
  private final MemoryStore store = new MemoryStore("m");

  private StoreShelf open() throws IOException {
    HistorySettings settings = new HistorySettings(64 * CHUNK, CHUNK, directory, 0);
    return StoreShelf.open(store, Duration.ZERO, settings, true, 100);
  }

  /** A state of one chunk. */
  private static State state(int chunk) {
    State state = new State();
    state.begin(chunk, new long[] {CHUNK}, 1, CHUNK);
    state.below[0] = chunk;
    return state;
  }

  private static void write(StoreShelf shelf, State state) throws IOException {
    shelf.take(state.below, state.chunks);
    shelf.begin(state);
    shelf.write(state.below[0], ByteBuffer.allocateDirect(CHUNK));
    shelf.end(state);
    shelf.seal();
  }

  /** As a thread does that moves states. */
  private static void fail(StoreShelf shelf, State state) {
    assertThatThrownBy(() -> write(shelf, state)).isInstanceOf(FileAlreadyExistsException.class);
    shelf.abandon();
    shelf.free(state.below, state.chunks);
    shelf.tidy();
  }

  @Test
  void neverRemovesAnObjectOfItsSuccessor() throws IOException {
    try (StoreShelf fenced = open();
        StoreShelf successor = open()) {
      write(successor, state(0));
      byte[] object = store.files.get("states-0000000000");

      fail(fenced, state(0));
      write(fenced, state(1));
      fenced.delete();

      assertThat(store.files).containsOnlyKeys("states-0000000000");
      assertThat(store.files).containsValue(object);
    }
  }

  @Test
  void neverRemovesAnObjectThatAppearsBeforeItsOwnIsThere() throws IOException {
    try (StoreShelf fenced = open();
        StoreShelf successor = open()) {
      store.showsAtClose = true;
      State early = state(0);
      fenced.take(early.below, early.chunks);
      fenced.begin(early);
      write(successor, state(0));
      fenced.end(early);

      assertThatThrownBy(fenced::seal).isInstanceOf(FileAlreadyExistsException.class);
      fenced.abandon();
      fenced.free(early.below, early.chunks);
      fenced.tidy();

      assertThat(store.files).containsOnlyKeys("states-0000000000");
    }
  }

  @Test
  void neverRemovesAnObjectThatAppearsBeforeItsOwnFails() throws IOException {
    try (StoreShelf fenced = open();
        StoreShelf successor = open()) {
      store.showsAtClose = true;
      State early = state(0);
      fenced.take(early.below, early.chunks);
      fenced.begin(early);
      write(successor, state(0));

      fenced.abandon();
      fenced.free(early.below, early.chunks);
      fenced.tidy();

      assertThat(store.files).containsOnlyKeys("states-0000000000");
    }
  }

  @Test
  void removesWhatItTookOverAndWhatItWrote() throws IOException {
    try (StoreShelf earlier = open()) {
      write(earlier, state(0));
    }
    try (StoreShelf shelf = open()) {
      write(shelf, state(1));
      assertThat(store.files).hasSize(2);
      shelf.delete();
    }
    assertThat(store.files).isEmpty();
  }
}
