package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.HostMemory;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Copies of host memory to the device, piece by piece through pinned buffers, two in flight. The
 * calling thread reads the host's side. Thread-safe.
 */
final class HostTransfers {
  private static final int BUFFERS = 2;

  private final PinnedRing up;

  private HostTransfers(PinnedRing up) {
    this.up = up;
  }

  /** Allocates the buffers; for their length see {@link PinnedRing#allocate}. */
  static HostTransfers allocate(CudaContext context, int bufferBytes) throws CudaException {
    return new HostTransfers(PinnedRing.allocate(context, BUFFERS, bufferBytes));
  }

  /**
   * Starts copies of host memory to the device, and adds its bytes to a checksum. Has read all of
   * the source when it returns.
   */
  void send(HostMemory source, long offset, long target, long bytes, CRC32C crc, long stream)
      throws CudaException {
    for (long done = 0; done < bytes; done += up.bufferBytes()) {
      int piece = (int) Math.min(up.bufferBytes(), bytes - done);
      PinnedBuffer buffer = up.take();
      try {
        buffer.fill(source, offset + done, piece, crc);
        buffer.sendTo(target + done, piece, stream);
      } finally {
        up.give(buffer);
      }
    }
  }

  /** Starts copies of a buffer, from its position to its limit, to the device. */
  void send(ByteBuffer source, long target, long stream) throws CudaException {
    for (int done = 0; done < source.remaining(); done += up.bufferBytes()) {
      int piece = Math.min(up.bufferBytes(), source.remaining() - done);
      PinnedBuffer buffer = up.take();
      try {
        buffer.fill(source, source.position() + done, piece);
        buffer.sendTo(target + done, piece, stream);
      } finally {
        up.give(buffer);
      }
    }
  }

  /** Ends the buffers; no copy is under way. */
  void free() throws CudaException {
    up.free();
  }
}
