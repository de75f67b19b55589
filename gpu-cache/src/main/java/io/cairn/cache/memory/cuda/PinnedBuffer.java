package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.HostMemory;
import io.cairn.cache.memory.NativeSpan;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Pinned host memory with the copy that uses it. One thread at a time has it, as {@link
 * PinnedRing#take} and {@link PinnedArrivals} say.
 */
final class PinnedBuffer implements CudaContext.Work {
  private final CudaContext context;
  private final long address;
  private final long event;
  private final ByteBuffer bytes;
  private final NativeSpan span;
  private boolean inFlight;

  private PinnedBuffer(CudaContext context, long address, long event, int length) {
    this.context = context;
    this.address = address;
    this.event = event;
    bytes = CurrentContext.bytes(address, length);
    span = new NativeSpan(bytes);
  }

  static PinnedBuffer allocate(CudaContext context, int length) throws CudaException {
    try (CurrentContext calls = context.enter()) {
      long event = calls.newEvent();
      try {
        return new PinnedBuffer(context, calls.allocateHost(length), event, length);
      } catch (CudaException e) {
        calls.destroyEvent(event);
        throw e;
      }
    }
  }

  /** Reads a piece of a source into it, and adds its bytes to the checksum. */
  void fill(HostMemory source, long offset, int length, CRC32C crc) {
    source.copyTo(offset, span, 0, length);
    crc.update(bytes.limit(length).position(0));
    bytes.clear();
  }

  /** Reads a piece of a buffer into it. */
  void fill(ByteBuffer source, int offset, int length) {
    bytes.put(0, source, offset, length);
  }

  /** Writes its first bytes into a buffer. */
  void drain(ByteBuffer target, int offset, int length) {
    target.put(offset, bytes, 0, length);
  }

  /** Starts to copy its first bytes to the device. */
  void sendTo(long target, int length, long stream) throws CudaException {
    try (CurrentContext calls = context.enter()) {
      calls.copyToDevice(target, address, length, stream);
      inFlight = true;
      calls.recordEnd(event, stream);
    }
  }

  /** Starts to copy bytes of the device to its beginning. */
  void receive(long source, int length, long stream) throws CudaException {
    try (CurrentContext calls = context.enter()) {
      calls.copyToHost(address, source, length, stream);
      inFlight = true;
      calls.recordEnd(event, stream);
    }
  }

  /** Waits until no copy uses it. */
  void awaitLanding() throws CudaException {
    if (inFlight) {
      context.awaitSurely("a copy through pinned memory", this);
      inFlight = false;
    }
  }

  /** Whether no copy uses it. */
  boolean hasLanded() throws CudaException {
    if (inFlight && isDone()) {
      inFlight = false;
    }
    return !inFlight;
  }

  @Override
  public boolean isDone() throws CudaException {
    try (CurrentContext calls = context.enter()) {
      return calls.hasEnded(event);
    }
  }

  /** Ends it; no copy uses it any more. */
  void free(CurrentContext calls) throws CudaException {
    calls.freeHost(address);
    calls.destroyEvent(event);
  }
}
