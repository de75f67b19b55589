package io.cairn.cache.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Region;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The hot path gives the garbage collector next to nothing to do. */
class CaptureAllocationTest {
  private static final int CHUNK_BYTES = 4096;
  private static final int CHUNKS = 2000;

  /** An event, its place in a list, a checksum. */
  private static final int BYTES_PER_CHUNK = 40;

  @Test
  void aCaptureAllocatesNoMoreThanAnEventPerChunk(@TempDir Path directory) throws Exception {
    Region weights = Region.of("weights", new float[CHUNKS * CHUNK_BYTES / Float.BYTES]);
    assertThat(allocatedBytes(directory, weights, CHUNK_BYTES))
        .isLessThan((long) CHUNKS * BYTES_PER_CHUNK);
  }

  /** Bytes that the third capture of a region allocates on the calling thread. */
  static long allocatedBytes(Path directory, Region region, int chunkBytes) throws Exception {
    assumeTrue(
        ManagementFactory.getThreadMXBean() instanceof ThreadMXBean,
        "this JVM does not count allocations per thread");
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long capacity = (long) CHUNKS * CHUNK_BYTES;
    try (DeviceMemory device = SharedMemoryDevice.open(directory, directory, capacity);
        ChunkCache cache = new ChunkCache(device, capacity, chunkBytes)) {
      ProtectedRegions regions = new ProtectedRegions(device, chunkBytes);
      regions.protect(region);
      long allocated = 0;
      for (int iteration = 0; iteration < 3; iteration++) {
        CheckpointId id = new CheckpointId(new GroupId("job", "g"), 1, iteration);
        CachedCheckpoint slots = cache.reserve(id, 0, regions.fixedChunks()).orElseThrow();
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        regions.snapshot().copyInto(slots).await();
        allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        slots.discard();
      }
      return allocated;
    }
  }
}
