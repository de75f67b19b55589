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

  private final @Nullable HistoryPeers peers;
  private final int peer;

  private HistoryPlaces(
      DeviceMemory device,
      @Nullable DeviceMemory host,
      long hostBytes,
      @Nullable HistoryPeers peers,
      int peer) {
    this.device = Objects.requireNonNull(device, "device");
    this.peers = peers;
    this.peer = peer;
    this.host = host;
    this.hostBytes = hostBytes;
  }

  /** A device alone; the files follow at once. */
  public static HistoryPlaces on(DeviceMemory device) {
    return new HistoryPlaces(device, null, 0, null, 0);
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
    return new HistoryPlaces(device, Objects.requireNonNull(memory, "memory"), bytes, peers, peer);
  }

  /**
   * Memory of other devices of this process, between the device and the host. Its states end with
   * the process.
   *
   * @param others all devices outlive all histories among them
   * @param number of this device in their topology
   */
  public HistoryPlaces withPeers(HistoryPeers others, int number) {
    return new HistoryPlaces(
        device, host, hostBytes, Objects.requireNonNull(others, "others"), number);
  }

  /** The histories that lend each other memory; null if this one does not. */
  @Nullable HistoryPeers peers() {
    return peers;
  }

  /** The number of the device among them. */
  int peer() {
    return peer;
  }

  /**
   * Allocates the host memory; null if there is none.
   *
   * @throws IOException naming the memory and its free bytes, if there is no room
   */
  @Nullable MemoryShelf openHost(int chunkBytes) throws IOException {
    int chunks = Math.toIntExact(hostBytes / chunkBytes);
    return host == null || chunks == 0
        ? null
        : MemoryShelf.allocate("host memory", host, chunks, chunkBytes);
  }

  @Override
  public String toString() {
    return host == null
        ? device.describe()
        : "%s, then %d bytes of %s".formatted(device.describe(), hostBytes, host.describe());
  }
}
