package io.cairn.cache.memory.cuda;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;

/** How tests open devices on the fake driver. */
final class Devices {
  static final int PINNED_BYTES = 4096;

  private Devices() {}

  /** Something that fails with {@link IOException}. */
  interface Action {
    void run() throws IOException;
  }

  static void unchecked(Action action) {
    try {
      action.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static CudaOptions options(Path directory, long capacityBytes) {
    return options(directory, capacityBytes, Duration.ofSeconds(15));
  }

  static CudaOptions options(Path directory, long capacityBytes, Duration patience) {
    return new CudaOptions(FakeCuda.LIBRARY, 0, capacityBytes, PINNED_BYTES, patience, directory);
  }

  /** Slabs of at most this length, one for each allocation. */
  static CudaOptions onDemand(Path directory, int slabBytes) {
    return onDemand(directory, slabBytes, Duration.ofSeconds(15));
  }

  static CudaOptions onDemand(Path directory, int slabBytes, Duration patience) {
    return new CudaOptions(FakeCuda.LIBRARY, 0, 0, PINNED_BYTES, patience, directory, slabBytes, 0);
  }
}
