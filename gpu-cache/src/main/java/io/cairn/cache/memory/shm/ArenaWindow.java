package io.cairn.cache.memory.shm;

import io.cairn.cache.memory.HostMemory;
import io.cairn.cache.memory.NativeSpan;
import io.cairn.core.model.MappedBytes;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;

/**
 * One mapped part of an arena. A copy to it runs block by block, and computes each block's checksum
 * while the block is in the processor's cache. So it reads main memory once. Thread-safe for spans
 * that do not overlap.
 *
 * <p>Holders are counted: the opener is the first, and each copy is one while it runs. The last
 * {@link #close} unmaps the window, so a dead peer's memory returns to the system at once, and no
 * copy touches memory that is not mapped.
 */
final class ArenaWindow implements AutoCloseable {
  private static final int BLOCK_BYTES = 64 << 10;
  private static final int PAGE_BYTES = 4096;
  private static final int IDLE_LANES = 64;

  private final MappedByteBuffer mapping;
  private final Runnable unmapped;
  private final NativeSpan span;
  private final AtomicInteger holders = new AtomicInteger(1);
  private final ArrayBlockingQueue<Lane> idle = new ArrayBlockingQueue<>(IDLE_LANES);

  ArenaWindow(MappedByteBuffer mapping) {
    this(mapping, () -> {});
  }

  /**
   * Likewise.
   *
   * @param unmapped runs once, when the last holder has closed it
   */
  ArenaWindow(MappedByteBuffer mapping, Runnable unmapped) {
    this.mapping = mapping;
    this.unmapped = unmapped;
    span = new NativeSpan(mapping);
  }

  /**
   * Becomes a holder, until its own {@link #close}.
   *
   * @return this window
   * @throws IllegalStateException if the last holder has closed it
   */
  ArenaWindow hold() {
    if (holders.getAndUpdate(now -> now == 0 ? 0 : now + 1) == 0) {
      throw new IllegalStateException("this memory of a device is closed");
    }
    return this;
  }

  /** Ends one holder's use; not idempotent. */
  @Override
  public void close() {
    if (holders.decrementAndGet() == 0) {
      idle.clear();
      Unmapping.unmap(mapping);
      unmapped.run();
    }
  }

  /** Writes a zero to each page, which must hold zeros, so that no copy pays for a first touch. */
  void touch() {
    for (int page = 0; page < span.length(); page += PAGE_BYTES) {
      span.bytes().put(page, (byte) 0);
    }
  }

  /** Copies, while the caller is a holder; returns the checksum. */
  int copyAndChecksum(HostMemory source, long sourceOffset, int offset, int length) {
    Lane lane = idle.poll();
    if (lane == null) {
      lane = new Lane(span.bytes().duplicate());
    }
    lane.crc.reset();
    for (int done = 0; done < length; done += BLOCK_BYTES) {
      int block = Math.min(BLOCK_BYTES, length - done);
      source.copyTo(sourceOffset + done, span, offset + done, block);
      lane.crc.update(lane.view.limit(offset + done + block).position(offset + done));
    }
    int checksum = (int) lane.crc.getValue();
    idle.offer(lane);
    return checksum;
  }

  /** Fills {@code target}, while the caller is a holder. */
  void copyTo(int offset, ByteBuffer target) {
    target.put(target.position(), span.bytes(), offset, target.remaining());
  }

  /** A part of it, by whose closing the caller ends its use as a holder. */
  MappedBytes bytes(int offset, int length) {
    return new Held(span.bytes().slice(offset, length));
  }

  private final class Held implements MappedBytes {
    private final ByteBuffer part;
    private final AtomicBoolean open = new AtomicBoolean(true);

    Held(ByteBuffer part) {
      this.part = part;
    }

    @Override
    public ByteBuffer buffer() {
      return part;
    }

    @Override
    public void close() {
      if (open.compareAndSet(true, false)) {
        ArenaWindow.this.close();
      }
    }
  }

  /** The objects that one thread needs for a checksum; kept for the next copy. */
  private record Lane(ByteBuffer view, CRC32C crc) {
    Lane(ByteBuffer view) {
      this(view, new CRC32C());
    }
  }
}
