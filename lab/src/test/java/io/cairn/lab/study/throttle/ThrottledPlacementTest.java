package io.cairn.lab.study.throttle;

import io.cairn.cache.capture.PlacementContract;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.flow.Topology;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class ThrottledPlacementTest extends PlacementContract {
  private static final LinkTable TABLE = LinkTable.of(Topology.uniform(3, 50e6, 20e6), 1);

  private final ThrottledLinks links =
      new ThrottledLinks(TABLE, LinkBookings.ofThisProcess(TABLE.stretches()));
  @TempDir private Path directory;

  ThrottledPlacementTest() {
    super(5);
  }

  private DeviceMemory below(int bytes) throws IOException {
    return SharedMemoryDevice.open(directory, directory, bytes);
  }

  @Override
  protected DeviceMemory openDevice(int node, int bytes, long seed) throws IOException {
    return ThrottledMemory.device(below(bytes), node, links);
  }

  @Override
  protected DeviceMemory openHost(int node, int bytes, long seed) throws IOException {
    return ThrottledMemory.host(below(bytes), node, links);
  }
}
