package io.cairn.cache.history;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The states that a journal names, and the form of its records. Not thread-safe. */
final class JournalStates {
  static final int LEAST_RECORD_BYTES = 25;

  private final int chunkBytes;
  private final int fileChunks;
  private final Map<Long, State> byStep = new HashMap<>();
  private final Map<Integer, State> byChunk = new HashMap<>();

  JournalStates(HistorySettings settings) {
    chunkBytes = settings.chunkBytes();
    fileChunks = settings.fileChunks();
  }

  Collection<State> all() {
    return byStep.values();
  }

  /** Bytes of a journal that names these states alone. */
  long bytes() {
    return byStep.values().stream().mapToLong(JournalStates::recordBytes).sum();
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
    for (int i = 0; i < copy.chunks; i++) {
      byChunk.put(copy.below[i], copy);
    }
  }

  /** A state of the same sizes, chunks of files and checksums. */
  State copy(State state) {
    State copy = new State();
    copy.begin(state.step, state.bytes, state.regions, chunkBytes);
    System.arraycopy(state.below, 0, copy.below, 0, state.chunks);
    System.arraycopy(state.checksums, 0, copy.checksums, 0, state.chunks);
    return copy;
  }

  /** Forgets all states. */
  void clear() {
    byStep.clear();
    byChunk.clear();
  }

  private void forget(@Nullable State state) {
    if (state != null) {
      byStep.remove(state.step, state);
      for (int i = 0; i < state.chunks; i++) {
        byChunk.remove(state.below[i], state);
      }
    }
  }

  static int recordBytes(State state) {
    return LEAST_RECORD_BYTES + 8 * state.regions + 8 * state.chunks;
  }

  /** Puts all but the checksum. */
  static void put(ByteBuffer into, State state, boolean whole) {
    into.putInt(recordBytes(state)).put((byte) (whole ? 1 : 0)).putLong(state.step);
    into.putInt(state.regions).putInt(state.chunks);
    for (int i = 0; i < state.regions; i++) {
      into.putLong(state.bytes[i]);
    }
    for (int i = 0; i < state.chunks; i++) {
      into.putInt(state.below[i]).putInt(state.checksums[i]);
    }
  }

  /**
   * Reads what {@link #put} wrote; whether it makes sense. A state with chunks beyond the space of
   * now ends others, and does not count itself.
   */
  boolean read(ByteBuffer from) {
    int length = from.getInt();
    boolean whole = from.get() == 1;
    State state = new State();
    long step = from.getLong();
    int regions = from.getInt();
    int chunks = from.getInt();
    if (step < 0
        || step > History.MOST_STEPS
        || regions < 0
        || chunks < 0
        || length != LEAST_RECORD_BYTES + 8L * regions + 8L * chunks) {
      return false;
    }
    long[] bytes = new long[regions];
    for (int i = 0; i < regions; i++) {
      bytes[i] = from.getLong();
      if (bytes[i] < 0 || bytes[i] > (long) chunks * chunkBytes) {
        return false;
      }
    }
    if (State.chunks(bytes, regions, chunkBytes) != chunks) {
      return false;
    }
    state.begin(step, bytes, regions, chunkBytes);
    boolean fits = true;
    for (int i = 0; i < chunks; i++) {
      state.below[i] = from.getInt();
      state.checksums[i] = from.getInt();
      fits &= state.below[i] >= 0 && state.below[i] < fileChunks;
    }
    if (whole && fits) {
      end(state);
    } else {
      begin(state);
    }
    return true;
  }
}
