package io.cairn.cache.memory.cuda;

import io.cairn.cache.capture.PlacementContract;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.DeviceMemoryContract;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/**
 * The suites of devices on a driver that properties name. No build runs them; the kit for GPUs
 * does, on the driver of a GPU.
 */
public final class GivenDriver {
  /** The property that names the driver's library. */
  public static final String LIBRARY = "cairn.cuda.library";

  /** The property that numbers the GPU. */
  public static final String ORDINAL = "cairn.cuda.ordinal";

  /** The suites. */
  public static final List<Class<?>> SUITES = List.of(Contract.class, Placement.class);

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private GivenDriver() {}

  private static DeviceMemory open(Path directory, long bytes) throws IOException {
    return CudaDevice.open(
        new CudaOptions(
            System.getProperty(LIBRARY, CudaOptions.LIBRARY),
            Integer.getInteger(ORDINAL, 0),
            bytes,
            Devices.PINNED_BYTES,
            PATIENCE,
            directory));
  }

  static final class Contract extends DeviceMemoryContract {
    @TempDir private Path directory;

    @Override
    protected DeviceMemory open() throws IOException {
      return GivenDriver.open(directory, CAPACITY_BYTES);
    }
  }

  static final class Placement extends PlacementContract {
    @TempDir private Path directory;

    Placement() {
      super(10);
    }

    @Override
    protected DeviceMemory openDevice(int node, int bytes, long seed) throws IOException {
      return GivenDriver.open(directory, bytes);
    }

    @Override
    protected DeviceMemory openHost(int node, int bytes, long seed) {
      return new DelayedDevice(bytes, seed * 10 + 5 + node);
    }
  }
}
