package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.DeviceMemoryContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A GPU whose copies take a while, and whose pinned buffers are far smaller than most copies. */
class CudaDeviceContractTest extends DeviceMemoryContract {
  @TempDir private Path directory;

  @BeforeAll
  static void delayCopies() {
    FakeCuda.reset();
    FakeCuda.fakecuda_delays(3, 60);
  }

  @Override
  protected DeviceMemory open() throws IOException {
    return CudaDevice.open(Devices.options(directory, CAPACITY_BYTES));
  }
}
