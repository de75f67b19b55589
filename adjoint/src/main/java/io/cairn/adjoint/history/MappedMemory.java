package io.cairn.adjoint.history;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.HostMemory;
import io.cairn.cache.memory.NativeSpan;
import io.cairn.core.model.MappedBytes;
import io.cairn.core.model.OpenParts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Device memory that the host maps: a state is copied and checked in one pass, and shelves read and
 * write it where it lies.
 */
final class MappedMemory implements StateMemory {
  /** One allocation of the device, and the program's views of it. */
  private record Slab(
      DeviceAddress address, MappedBytes bytes, NativeSpan span, ByteBuffer checked) {}

  private final DeviceMemory device;
  private final int chunkBytes;

  /** For messages; made once, since copies allocate nothing. */
  private final String where;

  private final int chunksPerSlab;
  private final List<Slab> slabs = new ArrayList<>();
  private final CRC32C crc = new CRC32C();

  private MappedMemory(DeviceMemory device, HistorySettings settings) {
    this.device = device;
    where = "on " + device.describe();
    chunkBytes = settings.chunkBytes();
    chunksPerSlab = Math.min(settings.deviceChunks(), HistorySettings.SEGMENT_BYTES / chunkBytes);
  }

  /**
   * Allocates the memory; null if the host does not map it.
   *
   * @throws IOException naming the device and its free bytes, if there is no room
   */
  static @Nullable MappedMemory open(DeviceMemory device, HistorySettings settings)
      throws IOException {
    try (OpenParts open = new OpenParts()) {
      MappedMemory memory = open.add(new MappedMemory(device, settings));
      for (int left = settings.deviceChunks(); left > 0; left -= memory.chunksPerSlab) {
        long chunks = Math.min(left, memory.chunksPerSlab);
        if (!memory.add(device.allocate(chunks * settings.chunkBytes()))) {
          return null;
        }
      }
      return open.keep(memory);
    }
  }

  private boolean add(DeviceAddress address) {
    Optional<MappedBytes> mapped = device.inPlace(address);
    if (mapped.isEmpty()) {
      device.free(address);
      return false;
    }
    ByteBuffer all = mapped.get().buffer();
    slabs.add(new Slab(address, mapped.get(), new NativeSpan(all), all.duplicate()));
    return true;
  }

  @Override
  public void copyIn(RegionSet from, State state) {
    int chunk = 0;
    for (int region = 0; region < state.regions; region++) {
      HostMemory memory = from.memory(region).requireHost(device);
      for (long done = 0; done < state.bytes[region]; done += chunkBytes, chunk++) {
        int length = (int) Math.min(chunkBytes, state.bytes[region] - done);
        int place = state.device[chunk];
        Slab slab = slab(place);
        memory.copyTo(done, slab.span(), at(place), length);
        state.checksums[chunk] = checksum(slab, place, length);
      }
    }
  }

  @Override
  public void copyOut(State state, RegionSet to) throws IOException {
    int chunk = 0;
    for (int region = 0; region < state.regions; region++) {
      HostMemory memory = to.memory(region).requireHost(device);
      for (long done = 0; done < state.bytes[region]; done += chunkBytes, chunk++) {
        int length = (int) Math.min(chunkBytes, state.bytes[region] - done);
        int place = state.device[chunk];
        Slab slab = slab(place);
        state.requireChecksum(chunk, checksum(slab, place, length), where);
        memory.copyFrom(done, slab.span(), at(place), length);
      }
    }
  }

  private int checksum(Slab slab, int place, int length) {
    crc.reset();
    crc.update(slab.checked().limit(at(place) + length).position(at(place)));
    return (int) crc.getValue();
  }

  @Override
  public Transfer transfer() {
    return new Runs(slabs.stream().map(slab -> slab.checked().duplicate()).toList());
  }

  /** Moves runs of chunks that follow each other on both sides, from and to where they lie. */
  private final class Runs implements Transfer {
    private final List<ByteBuffer> views;

    /**
     * Moves through these views.
     *
     * @param views of the slabs, for this alone
     */
    Runs(List<ByteBuffer> views) {
      this.views = views;
    }

    @Override
    public void write(State state, Shelf shelf) throws IOException {
      for (int from = 0; from < state.chunks; ) {
        int end = runEnd(state, from, shelf);
        shelf.write(state.below[from], view(state, from, end));
        from = end;
      }
    }

    @Override
    public void read(State state, Shelf shelf) throws IOException {
      for (int from = 0; from < state.chunks; ) {
        int end = runEnd(state, from, shelf);
        shelf.read(state.below[from], view(state, from, end));
        from = end;
      }
    }

    private ByteBuffer view(State state, int from, int end) {
      int start = at(state.device[from]);
      ByteBuffer view = views.get(state.device[from] / chunksPerSlab);
      return view.clear().limit(start + (end - from) * chunkBytes).position(start);
    }

    private int runEnd(State state, int from, Shelf shelf) {
      return state.runEnd(from, state.chunks, shelf, chunksPerSlab);
    }
  }

  private Slab slab(int chunk) {
    return slabs.get(chunk / chunksPerSlab);
  }

  private int at(int chunk) {
    return chunk % chunksPerSlab * chunkBytes;
  }

  @Override
  public List<DeviceAddress> slabs() {
    return slabs.stream().map(Slab::address).toList();
  }

  @Override
  public void close() {
    for (Slab slab : slabs) {
      slab.bytes().close();
      device.free(slab.address());
    }
    slabs.clear();
  }
}
