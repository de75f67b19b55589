package io.cairn.cache.capture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Region;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.Pin;
import io.cairn.cache.memory.CopyCounter;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Regions of every kind go into the cache and come back, each byte copied once each way. */
class CaptureRoundTripTest {
  private static final CheckpointId ID = new CheckpointId(new GroupId("job", "g"), 1, 5);
  private static final int CHUNK_BYTES = 256;

  private final CopyCounter counter = new CopyCounter();

  @Test
  void onSharedMemory(@TempDir Path directory) throws Exception {
    try (DeviceMemory device = SharedMemoryDevice.open(directory, directory, 1 << 20)) {
      // a restore copies from the slots themselves
      roundTrip(counter.count(device), 0);
    }
  }

  @Test
  void onADeviceWhoseCopiesLandLate() throws Exception {
    for (int seed = 0; seed < 20; seed++) {
      try (DeviceMemory device = new DelayedDevice(1 << 20, seed)) {
        roundTrip(counter.count(device), 1);
      }
    }
  }

  private void roundTrip(DeviceMemory memory, int copiesBack) throws Exception {
    Random random = new Random(1);
    float[] floats = new float[1000];
    double[] doubles = random.doubles(77).toArray();
    long[] longs = random.longs(500).toArray();
    byte[] none = new byte[0];
    ByteBuffer direct = ByteBuffer.allocateDirect(1025);
    byte[][] blob = {"iterator at 17".getBytes(UTF_8)};
    for (int i = 0; i < floats.length; i++) {
      floats[i] = random.nextFloat();
    }
    ProtectedRegions regions = new ProtectedRegions(memory, CHUNK_BYTES);
    regions.protect(Region.of("floats", floats));
    regions.protect(Region.of("doubles", doubles));
    regions.protect(Region.of("none", none));
    regions.protect(Region.of("longs", longs));
    regions.protect(Region.of("direct", direct));
    regions.protect(Region.of("blob", () -> blob[0], bytes -> blob[0] = bytes));

    long before = counter.bytesToDevice();
    long readBefore = counter.bytesToHost();
    try (ChunkCache cache = new ChunkCache(memory, 100 * CHUNK_BYTES, CHUNK_BYTES)) {
      Snapshot snapshot = regions.snapshot();
      CachedCheckpoint slots = cache.reserve(ID, 0, snapshot.chunks()).orElseThrow();
      List<RegionImage> images = snapshot.copyInto(slots).await();
      slots.complete(images, Ancestry.NONE, Fingerprint.NONE);
      assertThat(counter.bytesToDevice() - before).isEqualTo(snapshot.bytes());

      float[] saved = floats.clone();
      Arrays.fill(floats, -1);
      Arrays.fill(longs, -1);
      blob[0] = new byte[3];
      CachedCheckpoint found = cache.find(ID, 0).orElseThrow();
      try (Pin pin = found.pin().orElseThrow()) {
        ByteBuffer staging = ByteBuffer.allocateDirect(CHUNK_BYTES);
        long restored = regions.restore(found.images(), pin.reader(), staging);
        assertThat(restored).isEqualTo(snapshot.bytes());
        assertThat(counter.bytesToHost() - readBefore).isEqualTo(copiesBack * snapshot.bytes());
      }
      assertThat(floats).isEqualTo(saved);
      assertThat(longs).doesNotContain(-1);
      assertThat(new String(blob[0], UTF_8)).isEqualTo("iterator at 17");
    }
  }
}
