package io.cairn.adjoint.history;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The states that a journal names. Not thread-safe. */
final class JournalStates {
  private final int chunkBytes;
  private final int fileChunks;
  private final Map<Long, State> byStep = new HashMap<>();
  private final Map<Integer, State> byChunk = new HashMap<>();

  /** Of the records of all states. */
  private long bytes;

  JournalStates(HistorySettings settings) {
    chunkBytes = settings.chunkBytes();
    fileChunks = settings.fileChunks();
  }

  Collection<State> all() {
    return byStep.values();
  }

  /** Bytes of the records of a journal that names these states alone. */
  long bytes() {
    return bytes;
  }

  /** The chunks of a state are about to hold its bytes, and no other's. */
  void begin(State state) {
    forget(byStep.get(state.step));
    for (int i = 0; i < state.chunks; i++) {
      forget(byChunk.get(state.below[i]));
    }
  }

  void end(State state) {
    begin(state);
    State copy = copy(state);
    byStep.put(copy.step, copy);
    bytes += StateRecord.bytes(copy);
    for (int i = 0; i < copy.chunks; i++) {
      byChunk.put(copy.below[i], copy);
    }
  }

  /** A state of the same sizes, chunks of files and checksums. */
  State copy(State state) {
    State copy = new State();
    copy.begin(state.step, state.bytes, state.regions, chunkBytes);
    copy.run = state.run;
    System.arraycopy(state.below, 0, copy.below, 0, state.chunks);
    System.arraycopy(state.checksums, 0, copy.checksums, 0, state.chunks);
    return copy;
  }

  /** Forgets all states. */
  void clear() {
    byStep.clear();
    byChunk.clear();
    bytes = 0;
  }

  private void forget(@Nullable State state) {
    if (state != null && byStep.remove(state.step, state)) {
      bytes -= StateRecord.bytes(state);
      for (int i = 0; i < state.chunks; i++) {
        byChunk.remove(state.below[i], state);
      }
    }
  }

  /**
   * Reads a record; whether it makes sense. A state with chunks beyond the space of now ends
   * others, and does not count itself.
   */
  boolean read(ByteBuffer from) {
    StateRecord record = StateRecord.read(from, chunkBytes);
    if (record == null) {
      return false;
    }
    if (record.isWhole() && record.liesBelow(fileChunks)) {
      end(record.state());
    } else {
      begin(record.state());
    }
    return true;
  }
}
