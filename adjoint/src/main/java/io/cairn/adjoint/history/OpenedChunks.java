package io.cairn.adjoint.history;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.ExportedMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;

/** Chunks of another history, opened for the copies of a device. Not thread-safe. */
final class OpenedChunks implements AutoCloseable {
  private final List<DeviceMemory.Opened> opened = new ArrayList<>();
  private final List<DeviceAddress> addresses = new ArrayList<>();

  /**
   * Opens spans, each slab once for all of its spans that follow each other. After a failure those
   * before it stay open.
   *
   * @param slabs handles of the slabs
   * @throws IOException naming the handle and the reason, if a slab cannot be opened, or is shorter
   *     than its spans
   */
  void open(
      DeviceMemory memory, int chunkBytes, List<LentSpan> spans, IntFunction<ExportedMemory> slabs)
      throws IOException {
    DeviceAddress slab = null;
    int number = -1;
    for (LentSpan span : spans) {
      if (slab == null || number != span.slab()) {
        number = span.slab();
        DeviceMemory.Opened next = memory.open(slabs.apply(number));
        opened.add(next);
        slab = next.address();
      }
      long start = (long) span.first() * chunkBytes;
      long bytes = (long) span.chunks() * chunkBytes;
      if (start + bytes > slab.bytes()) {
        throw new IOException(
            String.format(Locale.ROOT, "%s of a slab of %d bytes", span, slab.bytes()));
      }
      addresses.add(slab.slice(start, bytes));
    }
  }

  /** Whole chunks each. */
  List<DeviceAddress> addresses() {
    return addresses;
  }

  /** Ends the use of all addresses. Idempotent. */
  @Override
  public void close() {
    opened.forEach(DeviceMemory.Opened::close);
    opened.clear();
  }
}
