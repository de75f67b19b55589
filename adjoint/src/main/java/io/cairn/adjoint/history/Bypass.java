package io.cairn.adjoint.history;

import io.cairn.cache.memory.CaptureSource;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.DeviceResident;
import io.cairn.cache.memory.HostMemory;
import io.cairn.cache.memory.NativeSpan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Reads states from shelves to the program, past the device. A read that nobody foresaw so never
 * waits for room. The program's thread owns it.
 */
final class Bypass {
  private final DeviceMemory device;
  private final int chunkBytes;
  private final ByteBuffer staging;
  private final NativeSpan span;
  private final CRC32C crc = new CRC32C();

  Bypass(DeviceMemory device, int chunkBytes) {
    this.device = device;
    this.chunkBytes = chunkBytes;
    staging = ByteBuffer.allocateDirect(chunkBytes);
    span = new NativeSpan(staging);
  }

  /**
   * Copies a state's chunks to the program's regions, each after its checksum was compared.
   *
   * @throws IOException naming the chunk, if its checksum is another one, or a shelf fails
   */
  void copyOut(State state, RegionSet to) throws IOException {
    Shelf shelf = state.requireRoom().shelf;
    int chunk = 0;
    for (int region = 0; region < state.regions; region++) {
      for (long done = 0; done < state.bytes[region]; done += chunkBytes, chunk++) {
        int length = (int) Math.min(chunkBytes, state.bytes[region] - done);
        shelf.read(state.below[chunk], staging.clear().limit(length));
        crc.reset();
        crc.update(staging.clear().limit(length));
        Checksums.require(state, chunk, (int) crc.getValue(), "in " + shelf.name());
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
