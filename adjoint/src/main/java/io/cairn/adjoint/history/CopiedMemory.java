package io.cairn.adjoint.history;

import io.cairn.cache.memory.CopyBatch;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.model.MappedBytes;
import io.cairn.core.model.OpenParts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Device memory that the host does not map: bytes pass through a buffer of each thread. The device
 * computes checksums when a state comes in.
 */
final class CopiedMemory implements StateMemory {
  /** Of the buffer through which states move. */
  private static final int STAGING_BYTES = 1 << 20;

  private final DeviceMemory device;
  private final int chunkBytes;

  /** For messages; made once, since copies allocate nothing. */
  private final String where;

  private final int chunksPerSlab;
  private final List<DeviceAddress> slabs = new ArrayList<>();
  private final List<MappedBytes> lent = new ArrayList<>();
  private final StagedCopy out;

  private CopiedMemory(DeviceMemory device, HistorySettings settings) {
    this.device = device;
    where = "on " + device.describe();
    chunkBytes = settings.chunkBytes();
    chunksPerSlab = Math.min(settings.deviceChunks(), HistorySettings.SEGMENT_BYTES / chunkBytes);
    out = new StagedCopy(device, staging(chunkBytes));
  }

  /**
   * Allocates the memory.
   *
   * @throws IOException naming the device and its free bytes, if there is no room
   */
  static CopiedMemory open(DeviceMemory device, HistorySettings settings) throws IOException {
    try (OpenParts open = new OpenParts()) {
      CopiedMemory memory = open.add(new CopiedMemory(device, settings));
      for (int left = settings.deviceChunks(); left > 0; left -= memory.chunksPerSlab) {
        long chunks = Math.min(left, memory.chunksPerSlab);
        memory.slabs.add(device.allocate(chunks * settings.chunkBytes()));
      }
      return open.keep(memory);
    }
  }

  @Override
  public void copyIn(RegionSet from, State state) throws IOException {
    if (state.chunks == 0) {
      return;
    }
    CopyBatch batch = new CopyBatch(state.chunks);
    int chunk = 0;
    for (int region = 0; region < state.regions; region++) {
      for (long done = 0; done < state.bytes[region]; done += chunkBytes, chunk++) {
        long length = Math.min(chunkBytes, state.bytes[region] - done);
        batch.add(from.memory(region), done, address(state.device[chunk], 1).slice(0, length));
      }
    }
    CopyEvent copied = device.copyAndChecksumAsync(batch);
    copied.awaitLanding();
    for (int i = 0; i < state.chunks; i++) {
      state.checksums[i] = copied.checksum(i);
    }
  }

  @Override
  public void copyOut(State state, RegionSet to) throws IOException {
    out.copyOut(state, to, (chunk, into) -> read(state.device[chunk], into), where);
  }

  private void read(int chunk, ByteBuffer into) throws IOException {
    device.copyToHostAsync(address(chunk, 1).slice(0, into.remaining()), into).awaitLanding();
  }

  /** A buffer that the device fills fast, if it has one to lend. */
  private synchronized ByteBuffer staging(int bytes) {
    Optional<MappedBytes> faster = device.staging(bytes);
    faster.ifPresent(lent::add);
    return faster.map(MappedBytes::buffer).orElseGet(() -> ByteBuffer.allocateDirect(bytes));
  }

  @Override
  public Transfer transfer() {
    int most = Math.min(chunksPerSlab, Math.max(1, STAGING_BYTES / chunkBytes));
    return new Staged(most, staging(most * chunkBytes));
  }

  /** Moves runs of chunks through a buffer. */
  private final class Staged implements Transfer {
    private final int most;
    private final ByteBuffer staging;
    private final HostMemory stagingMemory;

    Staged(int most, ByteBuffer staging) {
      this.most = most;
      this.staging = staging;
      stagingMemory = HostMemory.of(staging);
    }

    @Override
    public void write(State state, Shelf shelf) throws IOException {
      for (int from = 0; from < state.chunks; ) {
        int end = end(state, from, shelf);
        DeviceAddress run = address(state.device[from], end - from);
        device.copyToHostAsync(run, staged(run)).awaitLanding();
        shelf.write(state.below[from], staged(run));
        from = end;
      }
    }

    @Override
    public void read(State state, Shelf shelf) throws IOException {
      for (int from = 0; from < state.chunks; ) {
        int end = end(state, from, shelf);
        DeviceAddress run = address(state.device[from], end - from);
        shelf.read(state.below[from], staged(run));
        device.copyAndChecksumAsync(stagingMemory, 0, run).awaitLanding();
        from = end;
      }
    }

    private int end(State state, int from, Shelf shelf) {
      return state.runEnd(from, Math.min(state.chunks, from + most), shelf, chunksPerSlab);
    }

    private ByteBuffer staged(DeviceAddress run) {
      return staging.clear().limit((int) run.bytes());
    }
  }

  private DeviceAddress address(int chunk, int count) {
    long start = (long) (chunk % chunksPerSlab) * chunkBytes;
    return slabs.get(chunk / chunksPerSlab).slice(start, (long) count * chunkBytes);
  }

  @Override
  public List<DeviceAddress> slabs() {
    return slabs;
  }

  @Override
  public void close() {
    slabs.forEach(device::free);
    slabs.clear();
    lent.forEach(MappedBytes::close);
    lent.clear();
  }
}
