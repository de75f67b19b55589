package io.cairn.engine.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.model.MappedBytes;
import io.cairn.core.model.RegionImage;
import io.cairn.flush.restore.Landing.Landed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  @Test
  void chunksLandInFreeSlotsAndAreReadFromThere() throws Exception {
    try (DeviceMemory device = sharedMemory();
        ChunkCache cache = new ChunkCache(device, CACHE_BYTES, CHUNK_BYTES)) {
      List<RegionImage> images =
          List.of(region("a", 100, CHUNK_BYTES), region("b", 8, CHUNK_BYTES));
      ByteBuffer copied = ByteBuffer.allocate(36);

      Landed landed = new SlotLanding(cache).take(images).orElseThrow();
      landed.place(1).put(35, (byte) 5);
      landed.place(2).putLong(42);

      assertThat(cache.freeSlots()).isEqualTo(1);
      assertThat(landed.place(1).remaining()).isEqualTo(36);
      landed.reader().read(0, 1, copied);
      assertThat(copied.array()).endsWith(5);
      try (MappedBytes inPlace = landed.reader().inPlace(1, 0).orElseThrow()) {
        assertThat(inPlace.buffer().getLong(0)).isEqualTo(42);
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

  /** The host cannot write a GPU's memory. */
  @Test
  void slotsThatTheHostDoesNotMapAreGivenBack() throws Exception {
    try (DeviceMemory device = new DelayedDevice(CACHE_BYTES, 1);
        ChunkCache cache = new ChunkCache(device, CACHE_BYTES, CHUNK_BYTES)) {
      assertThat(new SlotLanding(cache).take(List.of(region("a", 100, CHUNK_BYTES)))).isEmpty();
      assertThat(cache.freeSlots()).isEqualTo(4);
    }
  }
}
