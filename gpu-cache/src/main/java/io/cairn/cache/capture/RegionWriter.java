package io.cairn.cache.capture;

import io.cairn.cache.memory.CaptureSource;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.DeviceResident;
import io.cairn.cache.memory.GatheredSource;
import io.cairn.cache.memory.HostMemory;
import io.cairn.cache.memory.NativeSpan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Queue;

/**
 * Writes bytes of a checkpoint into the application's memory. Copies to a device may be under way
 * until it is closed. Not thread-safe.
 */
final class RegionWriter implements AutoCloseable {
  private static final int MOST_UNDER_WAY = 2;

  private final DeviceMemory device;
  private final IdentityHashMap<ByteBuffer, NativeSpan> spans = new IdentityHashMap<>();
  private final Queue<CopyEvent> underWay = new ArrayDeque<>();

  /**
   * Writes to host memory, and to the memory of a device.
   *
   * @param device copies to regions that lie on a device
   */
  RegionWriter(DeviceMemory device) {
    this.device = device;
  }

  /**
   * Copies some bytes. {@code staged} may be used again when this returns.
   *
   * @param staged verified bytes from position 0 to the limit; read-only ones are others at each
   *     call
   * @param from index of the first byte in {@code staged}
   * @param offset of the target
   */
  void write(ByteBuffer staged, int from, int bytes, CaptureSource target, long offset)
      throws IOException {
    if (target instanceof GatheredSource gathered) {
      gathered.pieces(
          offset,
          bytes,
          (source, to, start, length) ->
              write(staged, from + (int) start, (int) length, source, to));
    } else if (target instanceof HostMemory host) {
      NativeSpan span =
          staged.isReadOnly()
              ? new NativeSpan(staged)
              : spans.computeIfAbsent(staged, NativeSpan::new);
      host.copyFrom(offset, span, from, bytes);
    } else if (target instanceof DeviceResident resident) {
      begun(device.copyToResidentAsync(staged.slice(from, bytes), resident, offset));
    } else {
      throw new IllegalArgumentException("no target of a restore: " + target);
    }
  }

  private void begun(CopyEvent copy) throws IOException {
    underWay.add(copy);
    while (underWay.size() > MOST_UNDER_WAY || !copy.isSourceFree()) {
      underWay.remove().awaitLanding();
    }
  }

  /**
   * Waits until nothing is under way.
   *
   * @throws IOException if a copy failed, with further failures suppressed
   */
  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (CopyEvent copy = underWay.poll(); copy != null; copy = underWay.poll()) {
      try {
        copy.awaitLanding();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
