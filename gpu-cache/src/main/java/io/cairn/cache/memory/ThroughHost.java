package io.cairn.cache.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Copies memory on a device to an engine that does not reach it, through a buffer of the host that
 * holds one chunk. Thread-safe.
 */
final class ThroughHost {
  private final DeviceMemory device;
  private final CopyEngine engine;

  /** The copy that reads the buffer. */
  private @Nullable CopyEvent last;

  private @Nullable ByteBuffer buffer;

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
   * Reads a chunk, then starts its copy to the engine. The work that its regions name has ended.
   *
   * @throws IOException if it cannot be read; no copy to the engine is under way then
   */
  synchronized CopyEvent copy(CaptureSource source, long offset, DeviceAddress target)
      throws IOException {
    int bytes = (int) target.bytes();
    ByteBuffer chunk = take(bytes);
    read(source, offset, chunk);
    CopyEvent copy = engine.copyAndChecksumAsync(HostMemory.source(chunk), 0, target);
    buffer = chunk;
    last = copy;
    return copy;
  }

  /** A copy that failed may read the buffer for good, so it is not taken again. */
  private ByteBuffer take(int bytes) {
    ByteBuffer known = buffer;
    buffer = null;
    if (known == null || known.capacity() < bytes || last == null || !last.isDone()) {
      return ByteBuffer.allocate(bytes);
    }
    return known.clear().limit(bytes);
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
