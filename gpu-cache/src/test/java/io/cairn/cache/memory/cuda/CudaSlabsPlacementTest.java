package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.cache.capture.PlacementContract;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceMemory;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A GPU whose memory lies in slabs of three slots, which it gives up one by one. */
class CudaSlabsPlacementTest extends PlacementContract {
  @TempDir private Path directory;

  CudaSlabsPlacementTest() {
    super(10);
  }

  @BeforeAll
  static void delayCopies() {
    FakeCuda.reset();
    FakeCuda.fakecuda_delays(5, 20);
  }

  @Override
  protected DeviceMemory openDevice(int node, int bytes, long seed) throws IOException {
    return CudaDevice.open(Devices.options(directory, bytes).inSlabsOf(48));
  }

  @Override
  protected DeviceMemory openHost(int node, int bytes, long seed) {
    return new DelayedDevice(bytes, seed * 10 + 5 + node);
  }

  @Override
  protected void requireShrunk(int slabs, int seeds) {
    assertThat(slabs).isGreaterThan(seeds);
    assertThat(FakeCuda.fakecuda_count("freed_while_open")).isZero();
    assertThat(FakeCuda.freedInFlight()).isZero();
  }
}
