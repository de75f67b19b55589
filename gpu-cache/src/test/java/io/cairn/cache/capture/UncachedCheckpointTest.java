package io.cairn.cache.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.ReadyAfter;
import io.cairn.Region;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.Pin;
import io.cairn.cache.memory.CopyCounter;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceHeap;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A state of five chunks passes through a cache of one slot, on a device whose copies land late.
 */
class UncachedCheckpointTest {
  private static final CheckpointId ID = new CheckpointId(new GroupId("job", "g"), 1, 1);
  private static final int CHUNK_BYTES = 64;
  private static final int REGION_BYTES = 4 * CHUNK_BYTES + 8;

  private final DelayedDevice device = new DelayedDevice(CHUNK_BYTES, 11);
  private final CopyCounter copies = new CopyCounter();
  private final DeviceMemory memory = copies.count(device);
  private final ChunkCache cache = new ChunkCache(memory, CHUNK_BYTES, CHUNK_BYTES);
  private final ProtectedRegions regions = new ProtectedRegions(memory, CHUNK_BYTES);
  private final byte[] weights = new byte[REGION_BYTES];

  UncachedCheckpointTest() throws IOException {
    regions.protect(Region.of("weights", weights));
    for (int i = 0; i < weights.length; i++) {
      weights[i] = (byte) (i * 31);
    }
  }

  @AfterEach
  void closeAll() {
    cache.close();
    device.close();
  }

  private UncachedCheckpoint inPlace() throws IOException {
    CachedCheckpoint slot = cache.reserve(ID, 0, 1).orElseThrow();
    return regions.snapshot().inPlace(slot);
  }

  private static byte[] bytes(RegionImage image, ChunkReader reader) throws IOException {
    ByteBuffer all = ByteBuffer.allocate((int) image.bytes());
    for (int chunk = 0; chunk < image.chunks(); chunk++) {
      reader.read(0, chunk, all);
    }
    return all.array();
  }

  @Test
  void itsChunksAreReadFromTheRegionsWhileItIsPinned() throws Exception {
    UncachedCheckpoint checkpoint = inPlace();
    List<RegionImage> images = checkpoint.images();
    CRC32C first = new CRC32C();
    first.update(weights, 0, CHUNK_BYTES);

    try (Pin pin = checkpoint.pin().orElseThrow()) {
      assertThat(bytes(images.get(0), pin.reader())).isEqualTo(weights);
    }

    assertThat(images).hasSize(1);
    assertThat(images.get(0).checksum(0)).isEqualTo((int) first.getValue());
  }

  @Test
  void eachByteIsReadOnceForItsChecksumAndOnceByTheReader() throws Exception {
    UncachedCheckpoint checkpoint = inPlace();

    try (Pin pin = checkpoint.pin().orElseThrow()) {
      bytes(checkpoint.images().get(0), pin.reader());
    }

    assertThat(copies.bytesToDevice()).isEqualTo(2 * REGION_BYTES);
    assertThat(copies.bytesToHost()).isEqualTo(REGION_BYTES);
  }

  @Test
  void theLastPinReleasesTheRegionsAndTheSlot() throws Exception {
    UncachedCheckpoint checkpoint = inPlace();
    Pin one = checkpoint.pin().orElseThrow();
    Pin other = checkpoint.pin().orElseThrow();
    CompletableFuture<Void> released = checkpoint.released();

    one.close();

    assertThat(released).isNotDone();
    assertThat(cache.freeSlots()).isZero();

    other.close();

    assertThat(released).isCompleted();
    assertThat(cache.freeSlots()).isEqualTo(1);
    assertThat(checkpoint.pin()).isEmpty();
  }

  @Test
  void aReaderFailsOnceTheRegionsAreReleased() throws Exception {
    UncachedCheckpoint checkpoint = inPlace();
    Pin pin = checkpoint.pin().orElseThrow();

    checkpoint.release();

    assertThat(checkpoint.released()).isCompleted();
    assertThatIOException()
        .isThrownBy(() -> pin.reader().read(0, 0, ByteBuffer.allocate(CHUNK_BYTES)))
        .withMessageContaining("regions were released");
    assertThat(cache.freeSlots()).isEqualTo(1);
    pin.close();
  }

  @Test
  void aRegionThatCannotBeReadLeavesTheSlotFree() {
    device.failNextCopy(new IOException("broken lane"));

    assertThatIOException().isThrownBy(this::inPlace).withMessageContaining("broken lane");

    assertThat(cache.freeSlots()).isEqualTo(1);
  }

  @Test
  void memoryOfTheDeviceIsReadThroughTheSlot() throws Exception {
    DeviceHeap heap = new DeviceHeap(REGION_BYTES);
    try (DelayedDevice reaching = new DelayedDevice(CHUNK_BYTES, 5, heap);
        ChunkCache one = new ChunkCache(reaching, CHUNK_BYTES, CHUNK_BYTES)) {
      ProtectedRegions resident = new ProtectedRegions(reaching, CHUNK_BYTES);
      resident.protect(heap.region("weights", 0, REGION_BYTES, new ReadyAfter.Nothing()));
      heap.bytes().put(0, weights);

      UncachedCheckpoint checkpoint =
          resident.snapshot().inPlace(one.reserve(ID, 0, 1).orElseThrow());

      try (Pin pin = checkpoint.pin().orElseThrow()) {
        assertThat(bytes(checkpoint.images().get(0), pin.reader())).isEqualTo(weights);
      }
    }
  }
}
