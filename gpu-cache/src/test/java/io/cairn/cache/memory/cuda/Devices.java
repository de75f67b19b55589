package io.cairn.cache.memory.cuda;

import java.nio.file.Path;
import java.time.Duration;

/** How tests open devices on the fake driver. */
final class Devices {
  static final int PINNED_BYTES = 4096;

  private Devices() {}

  static CudaOptions options(Path directory, long capacityBytes) {
    return options(directory, capacityBytes, Duration.ofSeconds(15));
  }

  static CudaOptions options(Path directory, long capacityBytes, Duration patience) {
    return new CudaOptions(FakeCuda.LIBRARY, 0, capacityBytes, PINNED_BYTES, patience, directory);
  }
}
