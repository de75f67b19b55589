package io.cairn.cache.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.ReadyAfter;
import io.cairn.Region;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.CopyBatch;
import io.cairn.cache.memory.CopyCounter;
import io.cairn.cache.memory.DeferredCopy;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceHeap;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.GatheredSpans;
import io.cairn.cache.memory.HostMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Captures that are copied while the training goes on. */
@Timeout(60)
class CaptureBesideTest {
  private static final int CHUNK_BYTES = 4096;
  private static final int SLOTS = 64;

  private final CopyCounter counter = new CopyCounter();
  private DeviceMemory device;
  private ChunkCache cache;
  private ProtectedRegions regions;
  private long iteration;

  @BeforeEach
  void open(@TempDir Path directory) throws IOException {
    int bytes = SLOTS * CHUNK_BYTES;
    device = counter.count(SharedMemoryDevice.open(directory, directory, bytes));
    cache = new ChunkCache(device, bytes, CHUNK_BYTES);
    regions = new ProtectedRegions(device, CHUNK_BYTES);
  }

  @AfterEach
  void close() {
    cache.close();
    device.close();
  }

  private CachedCheckpoint reserve(Snapshot snapshot) {
    CheckpointId id = new CheckpointId(new GroupId("job", "g"), 1, iteration++);
    return cache.reserve(id, 0, snapshot.chunks()).orElseThrow();
  }

  private CaptureBeside begin() {
    Snapshot snapshot = regions.snapshotToCopyLater();
    return snapshot.copyBeside(reserve(snapshot));
  }

  private static <T> FutureTask<T> inThread(Callable<T> task) {
    FutureTask<T> running = new FutureTask<>(task);
    new Thread(running, "copier").start();
    return running;
  }

  private static int crc(byte[] bytes, int first, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, first, length);
    return (int) crc.getValue();
  }

  private static void requireImage(RegionImage image, byte[] expected, String where) {
    for (int chunk = 0; chunk < image.chunks(); chunk++) {
      assertThat(image.checksum(chunk))
          .as("%s, chunk %d of %s", where, chunk, image.name())
          .isEqualTo(crc(expected, chunk * CHUNK_BYTES, image.chunkLength(chunk)));
    }
  }

  /** Checksums prove that no captured byte was written under the copy, with a thread beside. */
  @Test
  void aTrainingThatWaitsForEachRegionTearsNone() throws Exception {
    byte[][] layers = new byte[5][];
    for (int layer = 0; layer < layers.length; layer++) {
      layers[layer] = new byte[3 * CHUNK_BYTES + 700 * layer];
      regions.protect(Region.of("layer" + layer, layers[layer]));
    }
    for (int round = 0; round < 200; round++) {
      CachedCheckpoint target = reserve(regions.snapshot());
      CaptureBeside beside = regions.snapshot().copyBeside(target);
      FutureTask<List<RegionImage>> copier = inThread(beside.capture()::await);

      for (int k = 0; k < layers.length; k++) {
        int layer = round % 2 == 0 ? k : layers.length - 1 - k;
        beside.awaitFree("layer" + layer);
        Arrays.fill(layers[layer], (byte) (round + 1));
      }
      assertThat(beside.isFree()).isTrue();

      List<RegionImage> images = copier.get();
      for (int layer = 0; layer < layers.length; layer++) {
        byte[] expected = new byte[layers[layer].length];
        Arrays.fill(expected, (byte) round);
        requireImage(images.get(layer), expected, "round " + round);
      }
      assertThat(counter.bytesToDevice())
          .as("each byte is copied once, whoever copies it")
          .isEqualTo((round + 1L) * Arrays.stream(layers).mapToLong(layer -> layer.length).sum());
      target.discard();
    }
  }

  @Test
  void aTrainingThatDoesNotWaitIsSeenByTheChecksums() throws Exception {
    byte[] weights = new byte[8 * CHUNK_BYTES];
    regions.protect(Region.of("weights", weights));
    CaptureBeside beside = begin();

    Arrays.fill(weights, (byte) 1);
    RegionImage image = beside.capture().await().get(0);

    assertThat(image.checksum(0)).isNotEqualTo(crc(new byte[CHUNK_BYTES], 0, CHUNK_BYTES));
  }

  /** No other thread runs. */
  @Test
  void theThreadThatWaitsCopiesByItself() throws Exception {
    GatheredSpans spans = GatheredSpans.random(17);
    byte[] image = spans.image();
    regions.protect(spans.region("tensors"));
    CaptureBeside beside = begin();
    assertThat(beside.isFree()).isFalse();
    assertThat(beside.capture().isSourceFree()).isFalse();

    beside.awaitFree();

    assertThat(beside.isFree()).isTrue();
    assertThat(beside.capture().isSourceFree()).isTrue();
    spans.scramble(3);
    requireImage(beside.capture().await().get(0), image, "scrambled");
  }

  @Test
  void oneRegionIsCopiedWithoutTheOthers() {
    regions.protect(Region.of("first", new byte[2 * CHUNK_BYTES]));
    regions.protect(Region.of("second", new byte[3 * CHUNK_BYTES]));
    regions.protect(Region.of("third", new byte[4 * CHUNK_BYTES]));
    CaptureBeside beside = begin();

    beside.awaitFree("second");

    assertThat(counter.bytesToDevice()).isEqualTo(3L * CHUNK_BYTES);
    assertThatIllegalArgumentException().isThrownBy(() -> beside.awaitFree("fourth"));
    beside.awaitFree();
    assertThat(counter.bytesToDevice()).isEqualTo(9L * CHUNK_BYTES);
  }

  /** Its array is the application's, which may write the next value there. */
  @Test
  void blobsAreCopiedAtOnce() throws Exception {
    byte[] reused = {1, 2, 3};
    regions.protect(Region.of("weights", new byte[2 * CHUNK_BYTES]));
    regions.protect(Region.of("rng", () -> reused, bytes -> {}));
    CaptureBeside beside = begin();

    Arrays.fill(reused, (byte) 0);

    requireImage(beside.capture().await().get(1), new byte[] {1, 2, 3}, "reused");
  }

  @Test
  void aCaptureThatIsToFailCopiesNoMore() {
    regions.protect(Region.of("weights", new byte[8 * CHUNK_BYTES]));
    CaptureBeside beside = begin();

    beside.fail(new IOException("written under the copy"));
    beside.awaitFree();

    assertThat(counter.bytesToDevice()).isZero();
    assertThatIOException()
        .isThrownBy(() -> beside.capture().await())
        .withMessageContaining("written under the copy");
  }

  @Test
  void aDeviceThatFailsEndsTheWait() {
    DelayedDevice closed = new DelayedDevice(4096, 1);
    DeferredCopy copy =
        new DeferredCopy(
            closed, CopyBatch.of(HostMemory.of(new byte[8]), 0, new DeviceAddress(1, 0, 8)));

    closed.close();
    assertThat(copy.awaitSources(0, 1, Long.MAX_VALUE)).isTrue();

    assertThat(copy.isSourceFree()).isTrue();
    assertThat(copy.isDone()).isTrue();
    assertThatIOException()
        .isThrownBy(copy::await)
        .withMessageContaining("a copy beside the training failed")
        .withCauseInstanceOf(RuntimeException.class);
  }

  @Test
  void memoryOfADeviceIsCopiedByTheDevice() throws Exception {
    DeviceHeap heap = new DeviceHeap(100);
    try (DelayedDevice delayed = new DelayedDevice(4096, 1, heap);
        ChunkCache slots = new ChunkCache(delayed, 4096, 1024)) {
      ProtectedRegions resident = new ProtectedRegions(delayed, 1024);
      resident.protect(heap.region("w", 0, 100, new ReadyAfter.Nothing()));
      resident.protect(Region.of("step", new byte[] {7}));
      Snapshot snapshot = resident.snapshotToCopyLater();
      CheckpointId id = new CheckpointId(new GroupId("job", "g"), 1, 1);
      CachedCheckpoint target = slots.reserve(id, 0, 2).orElseThrow();

      CaptureBeside beside = snapshot.copyBeside(target);
      beside.awaitFree("w");

      assertThat(beside.isFree()).as("the other may have been written before").isFalse();
      beside.awaitFree("step");
      assertThat(beside.isFree()).isTrue();
      assertThat(beside.capture().await()).hasSize(2);
      beside.fail(new IOException("written under the copy"));
      assertThat(beside.hasFailed()).isTrue();
      assertThatIOException()
          .isThrownBy(() -> beside.capture().await())
          .withMessageContaining("written under the copy");
    }
  }

  /** A wait without a bound would learn that the device does not answer. */
  @Test
  void aBoundedWaitLeavesACopyThatDoesNotEnd() throws Exception {
    DeviceHeap heap = new DeviceHeap(100);
    try (DelayedDevice delayed = new DelayedDevice(4096, 1, heap);
        ChunkCache slots = new ChunkCache(delayed, 4096, 1024)) {
      ProtectedRegions resident = new ProtectedRegions(delayed, 1024);
      resident.protect(heap.region("w", 0, 100, new ReadyAfter.Nothing()));
      resident.protect(heap.region("v", 0, 0, new ReadyAfter.Nothing()));
      CheckpointId id = new CheckpointId(new GroupId("job", "g"), 1, 1);
      CachedCheckpoint target = slots.reserve(id, 0, 1).orElseThrow();
      delayed.hangNextCopy();
      CaptureBeside beside = resident.snapshotToCopyLater().copyBeside(target);

      assertThat(beside.awaitFree(1)).isFalse();

      assertThat(beside.isFree()).isFalse();
      assertThat(beside.hasFailed()).as("it may still land").isFalse();
      delayed.endHang();
      assertThat(beside.awaitFree(1)).isTrue();
      assertThat(beside.capture().await()).hasSize(2);
      target.discard();
    }
  }

  @Test
  void emptyRegionsAreFree() throws Exception {
    regions.protect(Region.of("none", new byte[0]));
    regions.protect(Region.of("nowhere", 0, 0, this));
    CaptureBeside beside = begin();

    assertThat(beside.isFree()).isTrue();
    beside.awaitFree();
    assertThat(beside.capture().await()).hasSize(2);
  }
}
