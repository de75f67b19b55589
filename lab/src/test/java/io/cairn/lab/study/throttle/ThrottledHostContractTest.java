package io.cairn.lab.study.throttle;

import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.DeviceMemoryContract;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.flow.Topology;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class ThrottledHostContractTest extends DeviceMemoryContract {
  private static final LinkTable TABLE = LinkTable.of(Topology.uniform(2, 1e9, 2e9), 1);

  private final ThrottledLinks links =
      new ThrottledLinks(TABLE, LinkBookings.ofThisProcess(TABLE.stretches()));
  @TempDir private Path directory;

  @Override
  protected DeviceMemory open() throws IOException {
    return ThrottledMemory.host(
        SharedMemoryDevice.open(directory, directory, CAPACITY_BYTES), 1, links);
  }
}
