package io.cairn.cache.memory.cuda;

import io.cairn.cache.capture.PlacementContract;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceMemory;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class CudaPlacementTest extends PlacementContract {
  @TempDir private Path directory;

  CudaPlacementTest() {
    super(10);
  }

  @BeforeAll
  static void delayCopies() {
    FakeCuda.reset();
    FakeCuda.fakecuda_delays(5, 20);
  }

  @Override
  protected DeviceMemory openDevice(int node, int bytes, long seed) throws IOException {
    return CudaDevice.open(Devices.options(directory, bytes));
  }

  @Override
  protected DeviceMemory openHost(int node, int bytes, long seed) {
    return new DelayedDevice(bytes, seed * 10 + 5 + node);
  }
}
