package io.cairn.cache.memory.cuda;

import io.cairn.core.model.OpenParts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The few pinned buffers through which bytes pass to the device; their number bounds the copies in
 * flight. A thread that waits for a buffer has none, so that two threads never wait for each other.
 * Thread-safe.
 */
final class PinnedRing {
  private final CudaContext context;
  private final List<PinnedBuffer> all = new ArrayList<>();
  private final BlockingQueue<PinnedBuffer> free;
  private final int bufferBytes;

  private PinnedRing(CudaContext context, int buffers, int bufferBytes) {
    this.context = context;
    this.bufferBytes = bufferBytes;
    free = new ArrayBlockingQueue<>(buffers, true);
  }

  /**
   * Allocates the buffers.
   *
   * @param bufferBytes a multiple of 8, so that no element of an array is cut
   */
  static PinnedRing allocate(CudaContext context, int buffers, int bufferBytes)
      throws CudaException {
    PinnedRing ring = new PinnedRing(context, buffers, bufferBytes);
    try {
      for (int i = 0; i < buffers; i++) {
        ring.all.add(PinnedBuffer.allocate(context, bufferBytes));
      }
    } catch (CudaException e) {
      OpenParts.closeAfter(ring::free, e);
      throw e;
    }
    ring.free.addAll(ring.all);
    return ring;
  }

  int bufferBytes() {
    return bufferBytes;
  }

  /**
   * Waits for a buffer that no copy uses. The caller has no other one.
   *
   * @throws CudaException if the GPU is dead, or does not end a copy in time
   */
  PinnedBuffer take() throws CudaException {
    PinnedBuffer buffer = free.poll();
    return landed(buffer == null ? waitForOne() : buffer);
  }

  private PinnedBuffer waitForOne() throws CudaException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          PinnedBuffer buffer = free.poll(context.patience().toNanos(), TimeUnit.NANOSECONDS);
          if (buffer == null) {
            throw context.noAnswer("the use of pinned memory");
          }
          return buffer;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private PinnedBuffer landed(PinnedBuffer buffer) throws CudaException {
    try {
      buffer.awaitLanding();
      return buffer;
    } catch (CudaException e) {
      give(buffer);
      throw e;
    }
  }

  /** Gives a buffer back, which a copy may still use. */
  void give(PinnedBuffer buffer) {
    free.add(buffer);
  }

  /** Ends all buffers; no copy uses one any more. */
  void free() throws CudaException {
    try (CurrentContext calls = context.enter()) {
      for (PinnedBuffer buffer : all) {
        buffer.free(calls);
      }
      all.clear();
    }
  }
}
