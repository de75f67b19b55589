package io.cairn.lab.study.throttle;

import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.DeviceMemoryContract;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.flow.Topology;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class ThrottledDeviceContractTest extends DeviceMemoryContract {
  private static final LinkTable TABLE = LinkTable.of(Topology.uniform(20, 50e6, 50e6), 1);

  private final ThrottledLinks links =
      new ThrottledLinks(TABLE, LinkBookings.ofThisProcess(TABLE.stretches()));
  @TempDir private Path directory;
  private int devices;

  @Override
  protected DeviceMemory open() throws IOException {
    return ThrottledMemory.device(
        SharedMemoryDevice.open(directory, directory, CAPACITY_BYTES), devices++, links);
  }
}
