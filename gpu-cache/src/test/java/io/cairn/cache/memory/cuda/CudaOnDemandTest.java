package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cairn.GroupId;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory.Opened;
import io.cairn.cache.memory.HostMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A device that takes memory of the GPU for each allocation, and none before. */
@Timeout(60)
class CudaOnDemandTest {
  private static final int SLAB_BYTES = 1 << 12;

  private final Path directory;
  private final CudaOptions options;
  private final CudaDevice device;

  CudaOnDemandTest(@TempDir Path directory) throws IOException {
    FakeCuda.reset();
    this.directory = directory;
    options = Devices.onDemand(directory, SLAB_BYTES);
    device = CudaDevice.open(options);
  }

  @AfterEach
  void close() {
    FakeCuda.fakecuda_block("");
    device.close();
    awaitRetained(0);
    assertThat(FakeCuda.fakecuda_count("leaks")).isZero();
    assertThat(FakeCuda.fakecuda_count("freed_while_open")).isZero();
    assertThat(FakeCuda.freedInFlight()).isZero();
  }

  private static void awaitRetained(int contexts) {
    while (FakeCuda.fakecuda_retained(0) > contexts) {
      Thread.onSpinWait();
    }
  }

  private long freeOnGpu() throws IOException {
    return device.bytesForOthers().orElseThrow();
  }

  private static byte[] read(CudaDevice from, DeviceAddress address) throws Exception {
    ByteBuffer found = ByteBuffer.allocate((int) address.bytes());
    from.copyToHostAsync(address, found).await();
    return found.array();
  }

  @Test
  void eachAllocationTakesItsMemoryAndGivesItBack() throws Exception {
    long free = freeOnGpu();
    assertThat(device.onDemandBytes().orElseThrow()).isGreaterThanOrEqualTo(free);
    DeviceAddress one = device.allocate(1000);
    assertThat(freeOnGpu()).isLessThan(free);
    DeviceAddress two = device.allocate(SLAB_BYTES);
    byte[] bytes = {1, 2, 3, 4, 5, 6, 7, 8};
    DeviceAddress part = two.slice(SLAB_BYTES - 8, 8);
    device.copyAndChecksumAsync(HostMemory.of(bytes), 0, part).await();

    device.free(one);
    awaitRetained(2);

    assertThat(read(device, part)).isEqualTo(bytes);
    device.free(two);
    assertThat(freeOnGpu()).isEqualTo(free);
    assertThatIllegalArgumentException().isThrownBy(() -> device.free(two));
  }

  @Test
  void anAllocationIsFreedAsAWhole() throws Exception {
    DeviceAddress one = device.allocate(SLAB_BYTES);

    assertThatIllegalArgumentException().isThrownBy(() -> device.free(one.slice(0, 8)));
    assertThatIllegalArgumentException().isThrownBy(() -> device.allocate(0));
    assertThatIOException().isThrownBy(() -> device.allocate(SLAB_BYTES + 8));
  }

  @Test
  void aPeerOpensWhatWasAllocatedLater() throws Exception {
    DeviceAddress one = device.allocate(64);
    try (CudaDevice other = CudaDevice.open(options)) {
      DeviceAddress two = device.allocate(64);
      byte[] bytes = new byte[64];
      bytes[63] = 9;
      device.copyAndChecksumAsync(HostMemory.of(bytes), 0, two).await();

      try (Opened opened = other.open(device.export(two))) {
        assertThat(read(other, opened.address())).isEqualTo(bytes);
        device.giveUp(one);
        assertThat(opened.isGivenUp()).isFalse();
        device.giveUp(two);
        assertThat(opened.isGivenUp()).isTrue();
      }
    }
  }

  @Test
  void aCacheGrowsOnTheGpu() throws Exception {
    GroupId group = new GroupId("job", "run");
    try (ChunkCache cache = new ChunkCache(device, 64, 1 << 20, device, 0, 64)) {
      long free = freeOnGpu();
      cache.growth().expect(group, 0, 100);
      cache.growth().grow();

      assertThat(cache.slots()).isEqualTo(201);
      assertThat(freeOnGpu()).isLessThanOrEqualTo(free - 200 * 64);
    }
  }

  @Test
  void theCacheAnswersWhileItsMemoryIsFreed() throws Exception {
    try (CudaDevice patient =
        CudaDevice.open(Devices.onDemand(directory, SLAB_BYTES, Duration.ofMinutes(9)))) {
      ChunkCache cache = new ChunkCache(patient, 2 * SLAB_BYTES, 64);
      FakeCuda.fakecuda_block("cuMemFree_v2");
      CompletableFuture<Void> closing = CompletableFuture.runAsync(cache::close);
      while (FakeCuda.fakecuda_count("blocked") == 0) {
        Thread.onSpinWait();
      }

      CompletableFuture<Integer> free = CompletableFuture.supplyAsync(cache::freeSlots);

      assertThat(free.get(30, TimeUnit.SECONDS)).isEqualTo(2 * SLAB_BYTES / 64);
      FakeCuda.fakecuda_block("");
      closing.join();
    }
  }

  /** Its work may hang for ever, and a cache has many slabs. */
  @Test
  void aGpuIsWaitedForOnce() throws Exception {
    CudaOptions impatient = Devices.onDemand(directory, SLAB_BYTES, Duration.ofSeconds(1));
    try (CudaDevice busy = CudaDevice.open(impatient)) {
      ChunkCache cache = new ChunkCache(busy, 100 * SLAB_BYTES, 64);
      FakeCuda.fakecuda_block("cuMemFree_v2");

      cache.close();

      FakeCuda.fakecuda_block("");
    }
  }

  @Test
  void memoryThatWasFreedDoesNotCount() throws Exception {
    for (int i = 0; i < 4_100; i++) { // more than a device has slabs
      device.free(device.allocate(8));
    }
    DeviceAddress last = device.allocate(8);
    byte[] bytes = {1, 2, 3, 4, 5, 6, 7, 8};

    device.copyAndChecksumAsync(HostMemory.of(bytes), 0, last).await();

    assertThat(read(device, last)).isEqualTo(bytes);
  }

  @Test
  void aCacheLeavesHalfOfTheGpuToTheTraining() throws Exception {
    GroupId group = new GroupId("job", "run");
    int chunkBytes = 1 << 20;
    try (CudaDevice large = CudaDevice.open(options.inSlabsOf(8L << 20));
        ChunkCache cache = new ChunkCache(large, chunkBytes, 1L << 40, large, 0, chunkBytes)) {
      long free = freeOnGpu();
      int third = (int) (free / chunkBytes / 3);
      cache.growth().expect(group, 0, third);

      assertThatIOException()
          .isThrownBy(cache.growth()::grow)
          .withMessageContaining("half of what is free beyond device.reserve");

      assertThat(cache.slots()).as("room for one state").isEqualTo(third + 1);
      assertThat(freeOnGpu()).isGreaterThan(free / 2);
    }
  }

  @Test
  void theReserveIsLeftToTheTraining() throws Exception {
    long free = freeOnGpu();
    try (CudaDevice other = CudaDevice.open(options.leaving(free))) {
      assertThat(other.bytesToShare()).hasValue(0);
      assertThatIOException().isThrownBy(() -> other.requireShare(64));
    }
    assertThat(device.bytesToShare()).hasValue(freeOnGpu() / 2);
  }

  @Test
  void aClosedDeviceAllocatesNothing() throws Exception {
    CudaDevice other = CudaDevice.open(options);
    other.close();

    assertThatIllegalStateException().isThrownBy(() -> other.allocate(64));
  }
}
