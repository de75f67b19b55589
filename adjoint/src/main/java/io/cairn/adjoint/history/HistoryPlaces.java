package io.cairn.adjoint.history;

import io.cairn.cache.memory.DeviceMemory;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The places of a history beside its files. They outlive it. Immutable.
 *
 * <pre>{@code
 * History.open(HistoryPlaces.on(gpu).withHost(pinned, 8L << 30), settings);
 * }</pre>
 */
public final class HistoryPlaces {
  private record Stored(CheckpointStore store, Duration patience, long bytes) {}

  final DeviceMemory device;
  private final @Nullable DeviceMemory host;
  private final long hostBytes;

  private final @Nullable Lenders lenders;
  private final int number;
  private final @Nullable Stored stored;

  private HistoryPlaces(
      DeviceMemory device,
      @Nullable DeviceMemory host,
      long hostBytes,
      @Nullable Lenders lenders,
      int number,
      @Nullable Stored stored) {
    this.device = Objects.requireNonNull(device, "device");
    this.lenders = lenders;
    this.number = number;
    this.host = host;
    this.hostBytes = hostBytes;
    this.stored = stored;
  }

  /** A device alone; the files follow at once. */
  public static HistoryPlaces on(DeviceMemory device) {
    return new HistoryPlaces(device, null, 0, null, 0, null);
  }

  /**
   * Host memory between the device and the files. Its states end with the process.
   *
   * @param memory that the host reaches, such as shared memory
   * @param bytes that the history takes of it; it allocates them when it is opened
   * @throws IllegalArgumentException if {@code bytes} is negative
   */
  public HistoryPlaces withHost(DeviceMemory memory, long bytes) {
    requireBytes("host memory", bytes);
    return new HistoryPlaces(
        device, Objects.requireNonNull(memory), bytes, lenders, number, stored);
  }

  /**
   * Memory of other devices of this process, between the device and the host. Its states end with
   * the process.
   *
   * @param others all devices outlive all histories among them
   * @param number of this device in their topology
   */
  public HistoryPlaces withPeers(HistoryPeers others, int number) {
    return with(others, number);
  }

  /**
   * Memory of other processes of this machine, between the device and the host. Its states end with
   * the process that lends it, or with this one. Replaces memory of other devices of this process.
   *
   * @param others the device outlives them
   */
  public HistoryPlaces withPeers(MachinePeers others) {
    return with(others, others.device());
  }

  private HistoryPlaces with(Lenders others, int own) {
    return new HistoryPlaces(device, host, hostBytes, others, own, stored);
  }

  /**
   * A store below the files, for states that no other place has room for. Where a history resumes,
   * they outlive the machine. {@code io.cairn.adjoint.StoredStates} has the one of a job.
   *
   * @param store that has the states of this rank of this program alone
   * @param patience how long a program without other room waits for a store that fails
   * @param bytes that the history takes of it at most
   * @throws IllegalArgumentException if {@code bytes} is negative
   */
  public HistoryPlaces withStore(CheckpointStore store, Duration patience, long bytes) {
    requireBytes("the store", bytes);
    Stored states =
        new Stored(Objects.requireNonNull(store), Objects.requireNonNull(patience), bytes);
    return new HistoryPlaces(device, host, hostBytes, lenders, number, states);
  }

  private static void requireBytes(String of, long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException(bytes + " bytes of " + of + "; allowed are 0 or more");
    }
  }

  /** The histories that lend each other memory; null if this one does not. */
  @Nullable Lenders lenders() {
    return lenders;
  }

  /** Of the device among these histories. */
  int number() {
    return number;
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

  /** Chunks that the store takes. */
  int storeChunks(int chunkBytes) {
    return stored == null ? 0 : Math.toIntExact(stored.bytes() / chunkBytes);
  }

  /**
   * Opens the store; null if there is none.
   *
   * @throws IOException if it cannot be read
   */
  @Nullable StoreShelf openStore(HistorySettings settings, boolean resumes) throws IOException {
    return stored == null
        ? null
        : StoreShelf.open(
            stored.store(),
            stored.patience(),
            settings,
            resumes,
            storeChunks(settings.chunkBytes()));
  }

  @Override
  public String toString() {
    return host == null
        ? device.describe()
        : String.format(
            Locale.ROOT, "%s, then %d bytes of %s", device.describe(), hostBytes, host.describe());
  }
}
