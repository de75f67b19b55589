package io.cairn.lab.gpu.kit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Chunks in pinned memory, as the launch contract of Cairn's kernels has them. The memory lives
 * until the process ends.
 */
final class ChunkList {
  /** Bytes of a piece; the launch contract of the kernels fixes it. */
  static final long PIECE_BYTES = 65536;

  private static final int CHUNK_BYTES = 3 * Long.BYTES;
  private static final int BLOCKS_PER_MULTIPROCESSOR = 4;

  /** One chunk; its addresses are the driver's, and the target may be 0 where a kernel permits. */
  record Chunk(long source, long target, long bytes) {}

  private final Gpu gpu;
  private final long table;
  private final long firsts;
  private final int chunks;
  private final long pieces;

  private ChunkList(Gpu gpu, long table, int chunks, long pieces) {
    this.gpu = gpu;
    this.table = table;
    this.chunks = chunks;
    this.pieces = pieces;
    firsts = table + (long) chunks * CHUNK_BYTES;
  }

  static ChunkList of(Gpu gpu, List<Chunk> chunks) throws GpuException {
    int count = chunks.size();
    long bytes = (long) count * (CHUNK_BYTES + Integer.BYTES) + Integer.BYTES;
    long table = gpu.allocateHost(bytes);
    ByteBuffer host = Gpu.bytes(table, bytes).order(ByteOrder.nativeOrder());
    long pieces = 0;
    for (Chunk chunk : chunks) {
      host.putLong(chunk.source).putLong(chunk.target).putLong(chunk.bytes);
    }
    for (Chunk chunk : chunks) {
      host.putInt((int) pieces);
      pieces += (chunk.bytes + PIECE_BYTES - 1) / PIECE_BYTES;
    }
    host.putInt((int) pieces);
    return new ChunkList(gpu, table, count, pieces);
  }

  /** The spans of one length that divide memory; the last one may be shorter. */
  static ChunkList dividing(Gpu gpu, Chunk memory, long chunkBytes) throws GpuException {
    Chunk[] chunks = new Chunk[(int) ((memory.bytes + chunkBytes - 1) / chunkBytes)];
    for (int i = 0; i < chunks.length; i++) {
      long at = i * chunkBytes;
      long target = memory.target == 0 ? 0 : memory.target + at;
      chunks[i] = new Chunk(memory.source + at, target, Math.min(chunkBytes, memory.bytes - at));
    }
    return of(gpu, List.of(chunks));
  }

  int count() {
    return chunks;
  }

  long pieces() {
    return pieces;
  }

  /**
   * Starts a kernel with as many blocks as the GPU holds at once.
   *
   * @param more arguments after the table: longs, which are addresses, and integers
   */
  void launch(String kernel, long stream, Object... more) throws IOException {
    int blocks = BLOCKS_PER_MULTIPROCESSOR * gpu.multiprocessors();
    launchOn((int) Math.max(1, Math.min(blocks, pieces)), kernel, stream, more);
  }

  /** Starts a kernel with that many blocks. */
  void launchOn(int blocks, String kernel, long stream, Object... more) throws IOException {
    List<Object> arguments = new ArrayList<>(List.of(table, firsts, chunks));
    arguments.addAll(List.of(more));
    gpu.launch(blocks, kernel, stream, arguments.toArray());
  }
}
