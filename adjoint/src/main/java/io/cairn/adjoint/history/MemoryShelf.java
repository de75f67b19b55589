package io.cairn.adjoint.history;

import io.cairn.Level;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.model.OpenParts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Memory below the device, in spans that the copies of a {@link DeviceMemory} reach. */
final class MemoryShelf implements Shelf {
  /** Chunks are numbered through all spans. */
  private static final class Spans {
    /** Of each span, its first chunk. */
    final int[] firsts;

    final List<DeviceAddress> addresses;

    /** The number of chunks. */
    final int chunks;

    /** Of each span, whether its owner has ended. */
    final AtomicIntegerArray gone;

    Spans(List<DeviceAddress> addresses, int chunkBytes) {
      this.addresses = List.copyOf(addresses);
      firsts = new int[addresses.size()];
      int count = 0;
      for (int i = 0; i < firsts.length; i++) {
        firsts[i] = count;
        count += Math.toIntExact(addresses.get(i).bytes() / chunkBytes);
      }
      chunks = count;
      gone = new AtomicIntegerArray(firsts.length);
    }

    boolean isGone(int chunk) {
      return gone.get(of(chunk)) != 0;
    }

    int of(int chunk) {
      int found = Arrays.binarySearch(firsts, chunk);
      return found >= 0 ? found : -found - 2;
    }
  }

  private final String name;
  private final DeviceMemory memory;
  private final int chunkBytes;

  /** Freed with this. */
  private final List<DeviceAddress> owned = new ArrayList<>();

  /** Copies to it that failed, and may still write there, since their device does not answer. */
  private final List<CopyEvent> unended = new ArrayList<>();

  private volatile Spans spans;

  /** No chunk. */
  MemoryShelf(String name, DeviceMemory memory, int chunkBytes) {
    this.name = name;
    this.memory = memory;
    this.chunkBytes = chunkBytes;
    spans = new Spans(List.of(), chunkBytes);
  }

  /**
   * Allocates so many chunks.
   *
   * @throws IOException naming the memory and its free bytes, if there is no room
   */
  static MemoryShelf allocate(String name, DeviceMemory memory, int chunks, int chunkBytes)
      throws IOException {
    int chunksPerSlab = HistorySettings.SEGMENT_BYTES / chunkBytes;
    try (OpenParts open = new OpenParts()) {
      MemoryShelf shelf = open.add(new MemoryShelf(name, memory, chunkBytes));
      for (int left = chunks; left > 0; left -= chunksPerSlab) {
        shelf.owned.add(memory.allocate((long) Math.min(left, chunksPerSlab) * chunkBytes));
      }
      shelf.lay(shelf.owned);
      return open.keep(shelf);
    }
  }

  /**
   * Replaces all chunks; none is in use.
   *
   * @param addresses of whole chunks each, reached by the memory
   */
  void lay(List<DeviceAddress> addresses) {
    spans = new Spans(addresses, chunkBytes);
  }

  /** The number of chunks. */
  int chunks() {
    return spans.chunks;
  }

  /** The owner of these spans has ended: from now on nothing is read or written there. */
  void gone(List<DeviceAddress> addresses) {
    Spans now = spans;
    for (int i = 0; i < now.firsts.length; i++) {
      if (addresses.contains(now.addresses.get(i))) {
        now.gone.set(i, 1);
      }
    }
  }

  /** Whether the owner of a chunk has ended. */
  @Override
  public boolean isGone(int chunk) {
    return spans.isGone(chunk);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Level level() {
    return Level.DEVICE;
  }

  @Override
  public void write(int chunk, ByteBuffer bytes) throws IOException {
    DeviceAddress target = address(chunk, bytes.remaining());
    CopyEvent copy = memory.copyAndChecksumAsync(HostMemory.of(bytes.slice()), 0, target);
    try {
      copy.awaitLanding();
    } catch (IOException e) {
      keep(copy);
      throw e;
    }
  }

  private void keep(CopyEvent failed) {
    if (!failed.isDone()) {
      synchronized (unended) {
        unended.removeIf(CopyEvent::isDone);
        unended.add(failed);
      }
    }
  }

  /** Whether no copy writes to its chunks, not even one that failed. */
  boolean isStill() {
    synchronized (unended) {
      unended.removeIf(CopyEvent::isDone);
      return unended.isEmpty();
    }
  }

  @Override
  public void read(int chunk, ByteBuffer into) throws IOException {
    memory.copyToHostAsync(address(chunk, into.remaining()), into).awaitLanding();
  }

  private DeviceAddress address(int chunk, int bytes) throws IOException {
    Spans now = spans;
    if (now.isGone(chunk)) {
      throw new IOException(
          String.format(
              Locale.ROOT, "the process that lent chunk %d of %s has ended", chunk, name));
    }
    int span = now.of(chunk);
    return now.addresses.get(span).slice((long) (chunk - now.firsts[span]) * chunkBytes, bytes);
  }

  @Override
  public boolean follows(int chunk, int next) {
    Spans now = spans;
    return next == chunk + 1 && now.of(next) == now.of(chunk);
  }

  @Override
  public void close() {
    owned.forEach(memory::free);
    owned.clear();
  }
}
