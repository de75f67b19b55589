package io.cairn.cache.capture;

import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SharedMemoryPlacementTest extends PlacementContract {
  @TempDir private Path directory;

  SharedMemoryPlacementTest() {
    super(25);
  }

  @Override
  protected DeviceMemory openDevice(int node, int bytes, long seed) throws IOException {
    return SharedMemoryDevice.open(directory, directory, bytes);
  }

  @Override
  protected DeviceMemory openHost(int node, int bytes, long seed) throws IOException {
    return openDevice(node, bytes, seed);
  }
}
