package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.cairn.cache.memory.CopyBatch;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.HostMemory;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The hot path gives the garbage collector next to nothing to do. */
class CudaAllocationTest {
  private static final int CHUNKS = 500;

  /** A target, a checksum, and what a batch needs once. */
  private static final int BYTES_PER_CHUNK = 32;

  @Test
  void aBatchAllocatesNothingPerChunkButItsResult(@TempDir Path directory) throws Exception {
    assumeTrue(
        ManagementFactory.getThreadMXBean() instanceof ThreadMXBean,
        "this JVM does not count allocations per thread");
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    FakeCuda.reset();
    int chunkBytes = Devices.PINNED_BYTES;
    int bytes = CHUNKS * chunkBytes;
    try (CudaDevice device = CudaDevice.open(Devices.options(directory, bytes))) {
      DeviceAddress address = device.allocate(bytes);
      HostMemory source = HostMemory.of(new byte[bytes]);
      CopyBatch batch = new CopyBatch(CHUNKS);
      for (int chunk = 0; chunk < CHUNKS; chunk++) {
        long start = (long) chunk * chunkBytes;
        batch.add(source, start, address.slice(start, chunkBytes));
      }
      long allocated = Long.MAX_VALUE;
      for (int round = 0; round < 4; round++) {
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        device.copyAndChecksumAsync(batch).await();
        long after = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        allocated = Math.min(allocated, after - before);
      }
      assertThat(allocated).isLessThan((long) CHUNKS * BYTES_PER_CHUNK);
    }
  }
}
