package io.cairn.engine.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.model.ChunkNumbers;
import io.cairn.core.model.HeldBytes;
import io.cairn.core.model.MappedBytes;
import io.cairn.core.model.RegionImage;
import io.cairn.flush.restore.Landing.Landed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlotLandingTest {
  private static final int CHUNK_BYTES = 64;
  private static final int CACHE_BYTES = 4 * CHUNK_BYTES;

  @TempDir Path directory;

  private DeviceMemory sharedMemory() throws IOException {
    return SharedMemoryDevice.open(directory, directory, CACHE_BYTES);
  }

  private static RegionImage region(String name, int bytes, int chunkBytes) {
    return new RegionImage(name, bytes, chunkBytes, new int[RegionImage.chunks(bytes, chunkBytes)]);
  }

  private static ByteBuffer bytes(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return ByteBuffer.wrap(bytes);
  }

  /** Reads a chunk as a restore does, and lets it land. */
  private static void put(Landed landed, List<RegionImage> images, int number, ByteBuffer bytes)
      throws IOException {
    ByteBuffer staging = ByteBuffer.allocateDirect(CHUNK_BYTES);
    landed
        .arrivals(new int[] {number}, () -> staging)
        .forEach(
            new ChunkNumbers(images),
            new int[] {number},
            (region, chunk, into) -> into.put(bytes.duplicate()),
            (read, reading, arrived) -> {
              reading.await();
              landed.put(read, arrived);
            });
    staging.clear().put(new byte[CHUNK_BYTES]); // the next chunk overwrites it
  }

  @Test
  void chunksLandInFreeSlotsAndAreReadFromThere() throws Exception {
    try (DeviceMemory device = sharedMemory();
        ChunkCache cache = new ChunkCache(device, CACHE_BYTES, CHUNK_BYTES)) {
      List<RegionImage> images =
          List.of(region("a", 100, CHUNK_BYTES), region("b", 8, CHUNK_BYTES));
      ByteBuffer copied = ByteBuffer.allocate(36);

      Landed landed = new SlotLanding(cache).take(images).orElseThrow();
      put(landed, images, 1, bytes(36, 5));
      put(landed, images, 2, bytes(8, 42));

      assertThat(cache.freeSlots()).isEqualTo(1);
      landed.reader().read(0, 1, copied);
      assertThat(copied.array()).endsWith(5);
      try (MappedBytes inPlace = landed.reader().inPlace(1, 0).orElseThrow()) {
        assertThat(inPlace.buffer()).isEqualTo(bytes(8, 42));
        assertThat(inPlace.buffer().isReadOnly()).isTrue();
      }
      landed.close();
      landed.close();
      assertThat(cache.freeSlots()).isEqualTo(4);
    }
  }

  @Test
  void aCheckpointThatDoesNotFitLandsNowhere() throws Exception {
    try (DeviceMemory device = sharedMemory();
        ChunkCache cache = new ChunkCache(device, CACHE_BYTES, CHUNK_BYTES)) {
      SlotLanding landing = new SlotLanding(cache);

      assertThat(landing.take(List.of(region("five-chunks", 257, CHUNK_BYTES)))).isEmpty();
      assertThat(landing.take(List.of(region("long-chunks", 128, 128)))).isEmpty();
      assertThat(cache.freeSlots()).isEqualTo(4);
    }
  }

  private static List<RegionImage> threeChunks() {
    return List.of(region("a", 3 * CHUNK_BYTES, CHUNK_BYTES));
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  /** The host does not write a GPU's memory; the GPU copies, whether it reads at once or later. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void chunksAreCopiedToSlotsThatTheHostDoesNotMap(boolean staged) throws Exception {
    List<RegionImage> images = threeChunks();
    try (DelayedDevice device =
            staged ? DelayedDevice.withStage(CACHE_BYTES, 1) : new DelayedDevice(CACHE_BYTES, 1);
        ChunkCache cache = new ChunkCache(device, CACHE_BYTES, CHUNK_BYTES)) {
      Landed landed = new SlotLanding(cache).take(images).orElseThrow();
      for (int number = 0; number < 3; number++) {
        put(landed, images, number, bytes(CHUNK_BYTES, number + 1));
      }

      assertThat(cache.freeSlots()).isEqualTo(1);
      for (int number = 0; number < 3; number++) {
        ByteBuffer copied = ByteBuffer.allocate(CHUNK_BYTES);
        landed.reader().read(0, number, copied);
        assertThat(copied.flip()).isEqualTo(bytes(CHUNK_BYTES, number + 1));
        try (HeldBytes held = landed.reader().held(0, number).orElseThrow()) {
          assertThat(held.checksum()).isEqualTo(checksum(copied));
        }
      }
      assertThat(landed.reader().staging(8).isPresent()).as("pinned memory").isEqualTo(staged);
      landed.close();
      landed.close();
      assertThat(cache.freeSlots()).isEqualTo(4);
    }
  }

  @Test
  void aChunkThatDoesNotLandIsRefused() throws Exception {
    List<RegionImage> images = threeChunks();
    try (DelayedDevice device = DelayedDevice.withStage(CACHE_BYTES, 1);
        ChunkCache cache = new ChunkCache(device, CACHE_BYTES, CHUNK_BYTES);
        Landed landed = new SlotLanding(cache).take(images).orElseThrow()) {
      put(landed, images, 0, bytes(CHUNK_BYTES, 1));
      device.failNextCopy(new IOException("planted"));
      put(landed, images, 1, bytes(CHUNK_BYTES, 2));
      ByteBuffer into = ByteBuffer.allocate(CHUNK_BYTES);

      landed.reader().read(0, 0, into);
      assertThatThrownBy(() -> landed.reader().held(0, 1)).hasMessageContaining("planted");
      assertThatThrownBy(() -> landed.reader().read(0, 1, into.clear()))
          .hasMessageContaining("planted");
      assertThatThrownBy(() -> landed.reader().read(0, 2, into.clear()))
          .hasMessageContaining("chunk 2 has not landed");
    }
  }

  /** A slot that a copy still writes would be given to a capture. */
  @Test
  void slotsGoBackAfterTheirCopies() throws Exception {
    List<RegionImage> images = threeChunks();
    try (DelayedDevice device = DelayedDevice.withStage(CACHE_BYTES, 1);
        ChunkCache cache = new ChunkCache(device, CACHE_BYTES, CHUNK_BYTES)) {
      Landed landed = new SlotLanding(cache).take(images).orElseThrow();
      for (int number = 0; number < 3; number++) {
        put(landed, images, number, bytes(CHUNK_BYTES, 1));
      }
      assertThat(device.pending()).isPositive();

      landed.close();

      assertThat(device.pending()).isZero();
    }
  }
}
