package io.cairn.cache.capture;

import io.cairn.cache.memory.CaptureSource;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.DeviceResident;
import io.cairn.cache.memory.HostMemory;
import io.cairn.cache.memory.NativeSpan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.IdentityHashMap;

/** Writes bytes of a checkpoint into the application's memory. Not thread-safe. */
final class RegionWriter {
  private final DeviceMemory device;
  private final IdentityHashMap<ByteBuffer, NativeSpan> spans = new IdentityHashMap<>();

  /**
   * Writes to host memory, and to the memory of a device.
   *
   * @param device copies to regions that lie on a device
   */
  RegionWriter(DeviceMemory device) {
    this.device = device;
  }

  /**
   * Copies some bytes.
   *
   * @param staged verified bytes from position 0 to the limit; read-only ones are others at each
   *     call
   * @param from index of the first byte in {@code staged}
   * @param offset of the target
   */
  void write(ByteBuffer staged, int from, int bytes, CaptureSource target, long offset)
      throws IOException {
    if (target instanceof HostMemory host) {
      NativeSpan span =
          staged.isReadOnly()
              ? new NativeSpan(staged)
              : spans.computeIfAbsent(staged, NativeSpan::new);
      host.copyFrom(offset, span, from, bytes);
    } else if (target instanceof DeviceResident resident) {
      device.copyToResidentAsync(staged.slice(from, bytes), resident, offset).awaitLanding();
    } else {
      throw new IllegalArgumentException("no target of a restore: " + target);
    }
  }
}
