package io.cairn.cache.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Copies memory on a device to an engine that does not reach it, through buffers of the host that
 * hold one chunk each. Thread-safe.
 */
final class ThroughHost {
  /** Chunks on their way to an engine; more would take memory, and bring it none sooner. */
  static final int MOST = 8;

  /** Bytes on their way, but for the two chunks that make reading and sending overlap. */
  static final int MOST_BYTES = 32 << 20;

  private final DeviceMemory device;
  private final CopyEngine engine;
  private final Deque<Sent> sent = new ArrayDeque<>();

  /** A copy that reads a buffer. */
  private record Sent(CopyEvent copy, ByteBuffer buffer) {}

  /**
   * Copies nothing yet.
   *
   * @param device reaches the sources
   */
  ThroughHost(DeviceMemory device, CopyEngine engine) {
    this.device = device;
    this.engine = engine;
  }

  /**
   * Reads a chunk, then starts its copy to the engine. The work that its regions name has ended,
   * and its source is free at the return. Waits for an earlier copy if the engine has many.
   *
   * @throws IOException if it cannot be read, or that earlier copy failed; this one has not begun
   */
  synchronized CopyEvent copy(CaptureSource source, long offset, DeviceAddress target)
      throws IOException {
    int bytes = (int) target.bytes();
    ByteBuffer chunk = take(bytes);
    read(source, offset, chunk);
    CopyEvent copy = engine.copyAndChecksumAsync(HostMemory.source(chunk), 0, target);
    sent.add(new Sent(copy, chunk));
    return copy;
  }

  /** A copy that failed may read its buffer for good, so the buffer is not taken again. */
  private ByteBuffer take(int bytes) throws IOException {
    Sent oldest = sent.peek();
    if (oldest == null || (sent.size() < most(bytes) && !oldest.copy().isDone())) {
      return ByteBuffer.allocate(bytes);
    }
    sent.remove();
    oldest.copy().awaitLanding();
    ByteBuffer known = oldest.buffer();
    return known.capacity() < bytes ? ByteBuffer.allocate(bytes) : known.clear().limit(bytes);
  }

  private static int most(int bytes) {
    return Math.max(2, Math.min(MOST, MOST_BYTES / Math.max(1, bytes)));
  }

  private void read(CaptureSource source, long offset, ByteBuffer into) throws IOException {
    if (source instanceof GatheredSource gathered) {
      gathered.pieces(
          offset,
          into.remaining(),
          (part, from, start, bytes) -> read(part, from, into.slice((int) start, (int) bytes)));
    } else if (source instanceof DeviceResident resident) {
      device.copyFromResidentAsync(resident, offset, into).awaitLanding();
    } else {
      NativeSpan span = new NativeSpan(into.slice());
      source.requireHost(engine).copyTo(offset, span, 0, span.length());
    }
  }
}
