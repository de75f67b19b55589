package io.cairn.adjoint.history;

import io.cairn.flush.store.StoreInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One object with states: their chunks, then a {@link StateRecord} for each, then a trailer. So an
 * object says all by itself which states lie there, and one without a whole trailer has none.
 *
 * <pre>
 *   chunks | records | length of the records, 4 | bytes of a chunk, 4 | CRC32C of all that, 4 | magic, 4
 * </pre>
 */
final class StoredBatch {
  private static final int MAGIC = 0x43485332; // CHS2
  private static final int TRAILER_BYTES = 16;

  final String name;

  /** Chunks that it has; the next one is written behind them. */
  int chunks;

  /** Chunks that are needed. */
  int needed;

  /** Whether it was closed, so that it can be read or removed. */
  boolean isClosed;

  StoredBatch(String name) {
    this.name = name;
  }

  /** The records of these states and the trailer. */
  static ByteBuffer end(List<State> states, int chunkBytes, IntUnaryOperator placeOf) {
    int length = states.stream().mapToInt(StateRecord::bytes).sum() - 4 * states.size();
    ByteBuffer end = ByteBuffer.allocate(length + TRAILER_BYTES);
    states.forEach(state -> StateRecord.put(end, state, true, placeOf));
    end.putInt(length).putInt(chunkBytes);
    end.putInt(checksum(end.duplicate().flip())).putInt(MAGIC);
    return end.flip();
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  /**
   * The states of an object, their chunks numbered within it; null if it has no whole trailer, or
   * another length of chunks.
   */
  static @Nullable List<State> states(StoreInput object, int chunkBytes) throws IOException {
    long length = object.length();
    if (length < TRAILER_BYTES) {
      return null;
    }
    ByteBuffer trailer = ByteBuffer.allocate(TRAILER_BYTES);
    object.readFully(length - TRAILER_BYTES, trailer);
    long bytes = Integer.toUnsignedLong(trailer.getInt(0));
    if (trailer.getInt(12) != MAGIC
        || trailer.getInt(4) != chunkBytes
        || bytes > Math.min(length - TRAILER_BYTES, Integer.MAX_VALUE - 16)) {
      return null;
    }
    ByteBuffer end = ByteBuffer.allocate((int) bytes + 8);
    object.readFully(length - TRAILER_BYTES - bytes, end);
    if (checksum(end.flip()) != trailer.getInt(8)) {
      return null;
    }
    long chunks = (length - TRAILER_BYTES - bytes) / chunkBytes;
    return states(end.rewind().limit((int) bytes), chunkBytes, chunks);
  }

  private static @Nullable List<State> states(ByteBuffer records, int chunkBytes, long chunks) {
    List<State> states = new ArrayList<>();
    while (records.hasRemaining()) {
      int start = records.position();
      int length = records.remaining() < 4 ? 0 : records.getInt(start) - 4;
      if (length < StateRecord.LEAST_BYTES - 4 || length > records.remaining()) {
        return null;
      }
      StateRecord record = StateRecord.read(records.slice(start, length), chunkBytes);
      if (record == null || !record.liesBelow((int) Math.min(chunks, Integer.MAX_VALUE))) {
        return null;
      }
      states.add(record.state());
      records.position(start + length);
    }
    return states;
  }

  @Override
  public String toString() {
    return name;
  }
}
