package io.cairn.cache.memory.cuda;

import com.sun.jna.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The arguments and results of one launch over chunks. The chunks, the numbers of their first
 * pieces and the results lie in pinned host memory, which the GPU reads by itself; the words that
 * blocks add to lie on the GPU. Between {@link ChunkTables#take} and {@link ChunkTables#give} one
 * thread at a time has it.
 */
final class ChunkTable {
  /** Bytes of a piece; the launch contract of the kernels fixes it. */
  private static final long PIECE_BYTES = 65536;

  private static final int CHUNK_BYTES = 3 * Long.BYTES;
  private static final int ARGUMENTS = 4;

  private final int capacity;
  private final long pinned;
  private final long words;
  private final ByteBuffer host;

  /** Pointers to the arguments, which follow them. */
  private final Memory arguments = new Memory(2L * ARGUMENTS * Long.BYTES);

  private int chunks;
  private long pieces;

  private ChunkTable(int capacity, long pinned, long words) {
    this.capacity = capacity;
    this.pinned = pinned;
    this.words = words;
    host = CurrentContext.bytes(pinned, hostBytes(capacity)).order(ByteOrder.nativeOrder());
  }

  /** Chunks, first pieces with one more at the end, and results. */
  private static long hostBytes(int capacity) {
    return (long) capacity * (CHUNK_BYTES + 2 * Integer.BYTES) + Integer.BYTES;
  }

  static ChunkTable allocate(CurrentContext calls, int capacity) throws CudaException {
    long pinned = calls.allocateHost(hostBytes(capacity));
    try {
      return new ChunkTable(capacity, pinned, calls.allocate((long) capacity * Integer.BYTES));
    } catch (CudaException e) {
      calls.freeHost(pinned);
      throw e;
    }
  }

  int capacity() {
    return capacity;
  }

  void clear() {
    chunks = 0;
    pieces = 0;
  }

  /** Adds a chunk; the table has room for it. */
  void add(long source, long target, long bytes) {
    int at = chunks * CHUNK_BYTES;
    host.putLong(at, source);
    host.putLong(at + Long.BYTES, target);
    host.putLong(at + 2 * Long.BYTES, bytes);
    host.putInt(firstPieces() + chunks * Integer.BYTES, (int) pieces);
    pieces += (bytes + PIECE_BYTES - 1) / PIECE_BYTES;
    chunks++;
  }

  private int firstPieces() {
    return capacity * CHUNK_BYTES;
  }

  private int results() {
    return firstPieces() + (capacity + 1) * Integer.BYTES;
  }

  /** The number of pieces, of which each block takes a share. */
  long pieces() {
    return pieces;
  }

  /**
   * Starts a kernel that adds to one word per chunk, and the copy of the words to the host.
   *
   * @param function of the driver
   * @param blocks 1 or more
   */
  void launch(CurrentContext calls, long function, int blocks, long stream) throws CudaException {
    long bytes = (long) chunks * Integer.BYTES;
    host.putInt(firstPieces() + chunks * Integer.BYTES, (int) pieces);
    setArguments();
    calls.clear(words, bytes, stream);
    calls.launch(function, blocks, stream, arguments);
    calls.copyToHost(pinned + results(), words, bytes, stream);
  }

  private void setArguments() {
    long values = (long) ARGUMENTS * Long.BYTES;
    for (int i = 0; i < ARGUMENTS; i++) {
      long at = values + (long) i * Long.BYTES;
      arguments.setPointer((long) i * Long.BYTES, arguments.share(at));
    }
    arguments.setLong(values, pinned);
    arguments.setLong(values + Long.BYTES, pinned + firstPieces());
    arguments.setInt(values + 2L * Long.BYTES, chunks);
    arguments.setLong(values + 3L * Long.BYTES, words);
  }

  /** The word of a chunk, by its number in the table; the copy to the host has landed. */
  int result(int chunk) {
    return host.getInt(results() + chunk * Integer.BYTES);
  }

  /** Ends it; no launch uses it any more. */
  void free(CurrentContext calls) throws CudaException {
    calls.freeHost(pinned);
    calls.free(words);
  }
}
