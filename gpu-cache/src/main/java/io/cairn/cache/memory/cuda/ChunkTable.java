package io.cairn.cache.memory.cuda;

import com.sun.jna.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The arguments and results of one launch over chunks. The host names spans of chunks that follow
 * each other, and the GPU divides them. Spans and results lie in pinned host memory, which the GPU
 * reads by itself; the chunks, the numbers of their first pieces, and the words that blocks add to
 * lie on the GPU. Between {@link ChunkTables#take} and {@link ChunkTables#give} one thread at a
 * time has it.
 */
final class ChunkTable {
  /** Bytes of a piece; the launch contract of the kernels fixes it. */
  private static final long PIECE_BYTES = 65536;

  private static final int SPAN_BYTES = 48;
  private static final int CHUNK_BYTES = 3 * Long.BYTES;
  private static final int ARGUMENTS = 4;

  private final int capacity;
  private final long pinned;
  private final long device;
  private final ByteBuffer host;

  /** Pointers to the arguments, which follow them. */
  private final Memory arguments = new Memory(2L * ARGUMENTS * Long.BYTES);

  private int spans;
  private int chunks;
  private long pieces;

  private ChunkTable(int capacity, long pinned, long device) {
    this.capacity = capacity;
    this.pinned = pinned;
    this.device = device;
    host = CurrentContext.bytes(pinned, hostBytes(capacity)).order(ByteOrder.nativeOrder());
    for (int i = 0; i < ARGUMENTS; i++) {
      arguments.setPointer((long) i * Long.BYTES, arguments.share(argument(i)));
    }
  }

  private static long argument(int number) {
    return (long) (ARGUMENTS + number) * Long.BYTES;
  }

  /** Spans, and results. */
  private static long hostBytes(int capacity) {
    return (long) capacity * (SPAN_BYTES + Integer.BYTES);
  }

  /** Chunks, first pieces with one more at the end, and words. */
  private static long deviceBytes(int capacity) {
    return (long) capacity * (CHUNK_BYTES + 2 * Integer.BYTES) + Integer.BYTES;
  }

  /** A table for so many chunks, which may all be spans of their own. */
  static ChunkTable allocate(CurrentContext calls, int capacity) throws CudaException {
    long pinned = calls.allocateHost(hostBytes(capacity));
    try {
      return new ChunkTable(capacity, pinned, calls.allocate(deviceBytes(capacity)));
    } catch (CudaException e) {
      calls.freeHost(pinned);
      throw e;
    }
  }

  int capacity() {
    return capacity;
  }

  void clear() {
    spans = 0;
    chunks = 0;
    pieces = 0;
  }

  /** Adds a chunk; the table has room for it. */
  void add(long source, long target, long bytes) {
    add(source, target, bytes, 1, bytes);
  }

  /**
   * Adds chunks that follow each other; the table has room for them.
   *
   * @param target address, or 0
   * @param bytes of all
   * @param count 1 or more
   * @param chunkBytes length of each but the last, which may be shorter
   */
  void add(long source, long target, long bytes, int count, long chunkBytes) {
    int at = spans * SPAN_BYTES;
    host.putLong(at, source);
    host.putLong(at + Long.BYTES, target);
    host.putLong(at + 2 * Long.BYTES, bytes);
    host.putLong(at + 3 * Long.BYTES, chunkBytes);
    host.putInt(at + 4 * Long.BYTES, count);
    host.putInt(at + 4 * Long.BYTES + Integer.BYTES, chunks);
    host.putInt(at + 5 * Long.BYTES, (int) pieces);
    spans++;
    chunks += count;
    pieces += (count - 1) * pieces(chunkBytes) + pieces(bytes - (count - 1) * chunkBytes);
  }

  private static long pieces(long bytes) {
    return (bytes + PIECE_BYTES - 1) / PIECE_BYTES;
  }

  private int results() {
    return capacity * SPAN_BYTES;
  }

  private long firstPieces() {
    return device + (long) capacity * CHUNK_BYTES;
  }

  private long words() {
    return firstPieces() + (capacity + 1L) * Integer.BYTES;
  }

  /** The number of spans, of which each block that divides takes a share. */
  int spans() {
    return spans;
  }

  /** The number of pieces, of which each block takes a share. */
  long pieces() {
    return pieces;
  }

  /**
   * Starts a kernel that adds to one word per chunk, after the one that divides the spans, and the
   * copy of the words to the host.
   *
   * @param divide function of the driver, on {@code dividing} blocks
   * @param function of the driver, on {@code blocks} blocks, 1 or more
   */
  void launch(
      CurrentContext calls, long divide, int dividing, long function, int blocks, long stream)
      throws CudaException {
    long bytes = (long) chunks * Integer.BYTES;
    calls.clear(words(), bytes, stream);
    arguments.setLong(argument(0), pinned);
    arguments.setInt(argument(1), spans);
    arguments.setLong(argument(2), device);
    arguments.setLong(argument(3), firstPieces());
    calls.launch(divide, dividing, stream, arguments);
    arguments.setLong(argument(0), device);
    arguments.setLong(argument(1), firstPieces());
    arguments.setInt(argument(2), chunks);
    arguments.setLong(argument(3), words());
    calls.launch(function, blocks, stream, arguments);
    calls.copyToHost(pinned + results(), words(), bytes, stream);
  }

  /** The word of a chunk, by its number in the table; the copy to the host has landed. */
  int result(int chunk) {
    return host.getInt(results() + chunk * Integer.BYTES);
  }

  /** Ends it; no launch uses it any more. */
  void free(CurrentContext calls) throws CudaException {
    calls.freeHost(pinned);
    calls.free(device);
  }
}
