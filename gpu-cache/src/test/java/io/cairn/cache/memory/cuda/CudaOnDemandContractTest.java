package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.DeviceMemoryContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A GPU whose memory is taken allocation by allocation. */
class CudaOnDemandContractTest extends DeviceMemoryContract {
  @TempDir private Path directory;

  @BeforeAll
  static void delayCopies() {
    FakeCuda.reset();
    FakeCuda.fakecuda_delays(3, 60);
    FakeCuda.fakecuda_memory(CAPACITY_BYTES * 5L / 4);
  }

  @Override
  protected DeviceMemory open() throws IOException {
    return CudaDevice.open(Devices.onDemand(directory, CAPACITY_BYTES));
  }
}
