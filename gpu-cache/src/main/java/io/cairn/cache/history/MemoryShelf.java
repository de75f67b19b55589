package io.cairn.cache.history;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.model.Level;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Memory below the device: the host's, reached by the copies of a {@link DeviceMemory}. */
final class MemoryShelf implements Shelf {
  private final String name;
  private final DeviceMemory memory;
  private final int chunkBytes;
  private final int chunksPerSlab;
  private final List<DeviceAddress> slabs = new ArrayList<>();

  private MemoryShelf(String name, DeviceMemory memory, int chunkBytes) {
    this.name = name;
    this.memory = memory;
    this.chunkBytes = chunkBytes;
    chunksPerSlab = HistorySettings.SEGMENT_BYTES / chunkBytes;
  }

  /**
   * Allocates so many chunks.
   *
   * @throws IOException naming the memory and its free bytes, if there is no room
   */
  static MemoryShelf allocate(String name, DeviceMemory memory, int chunks, int chunkBytes)
      throws IOException {
    MemoryShelf shelf = new MemoryShelf(name, memory, chunkBytes);
    try {
      for (int left = chunks; left > 0; left -= shelf.chunksPerSlab) {
        long slab = Math.min(left, shelf.chunksPerSlab);
        shelf.slabs.add(memory.allocate(slab * chunkBytes));
      }
      return shelf;
    } catch (IOException | RuntimeException e) {
      shelf.close();
      throw e;
    }
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
    memory.copyAndChecksumAsync(HostMemory.of(bytes.slice()), 0, target).awaitLanding();
  }

  @Override
  public void read(int chunk, ByteBuffer into) throws IOException {
    memory.copyToHostAsync(address(chunk, into.remaining()), into).awaitLanding();
  }

  private DeviceAddress address(int chunk, int bytes) {
    long start = (long) (chunk % chunksPerSlab) * chunkBytes;
    return slabs.get(chunk / chunksPerSlab).slice(start, bytes);
  }

  @Override
  public boolean follows(int chunk, int next) {
    return next == chunk + 1 && next % chunksPerSlab != 0;
  }

  @Override
  public void close() {
    slabs.forEach(memory::free);
    slabs.clear();
  }
}
