package io.cairn.cache.history;

import io.cairn.cache.memory.DeviceMemory;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The memories of a history, above its files. They outlive it. Immutable.
 *
 * <pre>{@code
 * History.open(HistoryPlaces.on(gpu).withHost(pinned, 8L << 30), settings);
 * }</pre>
 */
public final class HistoryPlaces {
  final DeviceMemory device;
  private final @Nullable DeviceMemory host;
  private final long hostBytes;

  private HistoryPlaces(DeviceMemory device, @Nullable DeviceMemory host, long hostBytes) {
    this.device = Objects.requireNonNull(device, "device");
    this.host = host;
    this.hostBytes = hostBytes;
  }

  /** A device alone; the files follow at once. */
  public static HistoryPlaces on(DeviceMemory device) {
    return new HistoryPlaces(device, null, 0);
  }

  /**
   * Host memory between the device and the files. Its states end with the process.
   *
   * @param memory that the host reaches, such as shared memory
   * @param bytes that the history takes of it; it allocates them when it is opened
   * @throws IllegalArgumentException if {@code bytes} is negative
   */
  public HistoryPlaces withHost(DeviceMemory memory, long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException(bytes + " bytes of host memory; allowed are 0 or more");
    }
    return new HistoryPlaces(device, Objects.requireNonNull(memory, "memory"), bytes);
  }

  /**
   * Allocates the host memory; null if there is none.
   *
   * @throws IOException naming the memory and its free bytes, if there is no room
   */
  @Nullable MemoryShelf openHost(int chunkBytes) throws IOException {
    int chunks = hostChunks(chunkBytes);
    return host == null || chunks == 0
        ? null
        : MemoryShelf.allocate("host memory", host, chunks, chunkBytes);
  }

  int hostChunks(int chunkBytes) {
    return Math.toIntExact(hostBytes / chunkBytes);
  }

  @Override
  public String toString() {
    return host == null
        ? device.describe()
        : "%s, then %d bytes of %s".formatted(device.describe(), hostBytes, host.describe());
  }
}
