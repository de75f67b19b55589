package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.HostMemory;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Bytes between host memory and the device, piece by piece through pinned buffers: two copies in
 * flight each way. The calling thread reads and writes the host's side. Thread-safe.
 */
final class HostTransfers {
  private static final int BUFFERS = 2;

  private final PinnedRing up;
  private final PinnedRing down;

  private HostTransfers(PinnedRing up, PinnedRing down) {
    this.up = up;
    this.down = down;
  }

  /** Allocates the buffers; for their length see {@link PinnedRing#allocate}. */
  static HostTransfers allocate(CudaContext context, int bufferBytes) throws CudaException {
    PinnedRing up = PinnedRing.allocate(context, BUFFERS, bufferBytes);
    try {
      return new HostTransfers(up, PinnedRing.allocate(context, BUFFERS, bufferBytes));
    } catch (CudaException e) {
      up.free();
      throw e;
    }
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

  /** Copies bytes of the device into a buffer, from its position to its limit. */
  void receive(long source, ByteBuffer target, long stream) throws CudaException {
    int bytes = target.remaining();
    PinnedBuffer present = null;
    PinnedBuffer next = null;
    try {
      for (int done = 0; done < bytes; ) {
        if (present == null) {
          present = down.take();
          present.receive(source + done, piece(done, bytes), stream);
        }
        int ahead = done + piece(done, bytes);
        next = ahead < bytes ? down.tryTake() : null;
        if (next != null) {
          next.receive(source + ahead, piece(ahead, bytes), stream);
        }
        present.awaitLanding();
        present.drain(target, target.position() + done, piece(done, bytes));
        down.give(present);
        present = next;
        next = null;
        done = ahead;
      }
    } finally {
      give(present);
      give(next);
    }
  }

  private int piece(int done, int bytes) {
    return Math.min(down.bufferBytes(), bytes - done);
  }

  private void give(@Nullable PinnedBuffer buffer) {
    if (buffer != null) {
      down.give(buffer);
    }
  }

  /** Ends the buffers; no copy is under way. */
  void free() throws CudaException {
    up.free();
    down.free();
  }
}
