package io.cairn.adjoint.history;

import io.cairn.cache.memory.CaptureSource;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.DeviceResident;
import io.cairn.cache.memory.HostMemory;
import io.cairn.cache.memory.NativeSpan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Copies states to the program through a buffer. The program's thread owns it. */
final class StagedCopy {
  /** Where the chunks of a state come from. */
  @FunctionalInterface
  interface Source {
    /** Fills a buffer with the first bytes of a chunk. */
    void read(int chunk, ByteBuffer into) throws IOException;
  }

  private final DeviceMemory device;
  private final ByteBuffer staging;
  private final NativeSpan span;
  private final CRC32C crc = new CRC32C();

  /**
   * Copies through a buffer.
   *
   * @param device of the program's regions
   * @param staging a direct buffer of one chunk
   */
  StagedCopy(DeviceMemory device, ByteBuffer staging) {
    this.device = device;
    this.staging = staging;
    span = new NativeSpan(staging);
  }

  /**
   * Copies a state from its shelf, past the device. A read that nobody foresaw so never waits for
   * room.
   *
   * @throws IOException as the other
   */
  void copyOut(State state, RegionSet to) throws IOException {
    Shelf shelf = state.requireRoom().shelf;
    copyOut(state, to, (chunk, into) -> shelf.read(state.below[chunk], into), "in " + shelf.name());
  }

  /**
   * Copies a state's chunks to the program's regions, each after its checksum was compared.
   *
   * @param where the chunks lie, for messages
   * @throws IOException naming the chunk, if its checksum is another one, or the source fails
   */
  void copyOut(State state, RegionSet to, Source from, String where) throws IOException {
    int chunkBytes = staging.capacity();
    int chunk = 0;
    for (int region = 0; region < state.regions; region++) {
      for (long done = 0; done < state.bytes[region]; done += chunkBytes, chunk++) {
        int length = (int) Math.min(chunkBytes, state.bytes[region] - done);
        from.read(chunk, staging.clear().limit(length));
        crc.reset();
        crc.update(staging.clear().limit(length));
        state.requireChecksum(chunk, (int) crc.getValue(), where);
        put(to.memory(region), done, length);
      }
    }
  }

  private void put(CaptureSource memory, long offset, int length) throws IOException {
    if (memory instanceof DeviceResident resident) {
      device.copyToResidentAsync(staging.clear().limit(length), resident, offset).awaitLanding();
    } else if (memory instanceof HostMemory host) {
      host.copyFrom(offset, span, 0, length);
    }
  }
}
