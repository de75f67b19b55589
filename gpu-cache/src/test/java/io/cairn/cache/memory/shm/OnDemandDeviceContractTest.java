package io.cairn.cache.memory.shm;

import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.DeviceMemoryContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class OnDemandDeviceContractTest extends DeviceMemoryContract {
  @TempDir private Path directory;

  @Override
  protected DeviceMemory open() throws IOException {
    return SharedMemoryDevice.onDemand(
        directory.resolve("preferred"), directory.resolve("fallback"), CAPACITY_BYTES);
  }
}
