package io.cairn.lab.bench.collaborative;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.HostMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.lab.measure.Middle;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** How fast this machine makes the copies that the links slow down. */
final class CopyRate {
  private static final int CHUNKS = 256;
  private static final int PASSES = 15;

  private CopyRate() {}

  /**
   * Bytes per second of one thread that copies chunks into a device, checksums included, in the
   * median of some passes over touched memory.
   */
  static double measure(int chunkBytes) throws IOException {
    int bytes = CHUNKS * chunkBytes;
    List<Double> rates = new ArrayList<>();
    try (Scratch scratch = Scratch.create();
        SharedMemoryDevice device =
            SharedMemoryDevice.open(
                scratch.inMemory("device"), scratch.inMemory("device"), bytes)) {
      ByteBuffer state = ByteBuffer.allocateDirect(bytes);
      new PlayedState(0, 0).fillAll(chunkBytes, state);
      HostMemory source = HostMemory.of(state);
      DeviceAddress target = device.allocate(bytes);
      for (int pass = 0; pass < PASSES; pass++) {
        long start = System.nanoTime();
        for (long at = 0; at < bytes; at += chunkBytes) {
          device.copyAndChecksumAsync(source, at, target.slice(at, chunkBytes)).awaitLanding();
        }
        rates.add(bytes / ((System.nanoTime() - start) / 1e9));
      }
    }
    return Middle.of(rates);
  }
}
