package io.cairn.adjoint.history;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One state as bytes: its step, its run, the sizes of its regions, its chunks and their checksums.
 * Journals and objects of a store consist of such records, each with a checksum of its own or of
 * all.
 *
 * @param state with its chunks below the device
 * @param isWhole whether all its bytes were written
 */
record StateRecord(State state, boolean isWhole) {
  /** Of a state without regions: length, whole, step, run, both counts, room for a checksum. */
  static final int LEAST_BYTES = 41;

  /** The length of a state's record, with four bytes for a checksum. */
  static int bytes(State state) {
    return LEAST_BYTES + 8 * state.regions + 8 * state.chunks;
  }

  /**
   * Puts all but the checksum.
   *
   * @param placeOf what a chunk is called in the record
   */
  static void put(ByteBuffer into, State state, boolean whole, IntUnaryOperator placeOf) {
    into.putInt(bytes(state)).put((byte) (whole ? 1 : 0)).putLong(state.step);
    into.putLong(state.run.getMostSignificantBits()).putLong(state.run.getLeastSignificantBits());
    into.putInt(state.regions).putInt(state.chunks);
    for (int i = 0; i < state.regions; i++) {
      into.putLong(state.bytes[i]);
    }
    for (int i = 0; i < state.chunks; i++) {
      into.putInt(placeOf.applyAsInt(state.below[i])).putInt(state.checksums[i]);
    }
  }

  /**
   * Reads what {@link #put} wrote; null if it makes no sense.
   *
   * @param from as many bytes as the record says remain, but for its checksum
   */
  static @Nullable StateRecord read(ByteBuffer from, int chunkBytes) {
    int length = from.getInt();
    boolean whole = from.get() == 1;
    long step = from.getLong();
    UUID run = new UUID(from.getLong(), from.getLong());
    int regions = from.getInt();
    int chunks = from.getInt();
    if (step < 0
        || step > History.MOST_STEPS
        || regions < 0
        || chunks < 0
        || length != LEAST_BYTES + 8L * regions + 8L * chunks) {
      return null;
    }
    long[] sizes = new long[regions];
    long needed = 0;
    for (int i = 0; i < regions; i++) {
      sizes[i] = from.getLong();
      if (sizes[i] < 0 || sizes[i] > (long) chunks * chunkBytes) {
        return null;
      }
      needed += (sizes[i] + chunkBytes - 1) / chunkBytes;
    }
    if (needed != chunks) {
      return null;
    }
    State state = new State();
    state.begin(step, sizes, regions, chunkBytes);
    state.run = run;
    for (int i = 0; i < chunks; i++) {
      state.below[i] = from.getInt();
      state.checksums[i] = from.getInt();
    }
    return new StateRecord(state, whole);
  }

  /** Whether all chunks have numbers below this one. */
  boolean liesBelow(int chunks) {
    for (int i = 0; i < state.chunks; i++) {
      if (state.below[i] < 0 || state.below[i] >= chunks) {
        return false;
      }
    }
    return true;
  }
}
