package io.cairn.cache.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.MirroredMemory;
import io.cairn.ReadyAfter;
import io.cairn.Region;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.Pin;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceHeap;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.BytePointer;
import org.junit.jupiter.api.Test;

/** Memory that a library keeps on a device and in host memory, of which one side is newer. */
class MirroredMemoryTest {
  private static final CheckpointId ID = new CheckpointId(new GroupId("job", "g"), 1, 5);
  private static final int CHUNK_BYTES = 256;
  private static final int BYTES = 1000;

  private final DeviceHeap heap = new DeviceHeap(BYTES);
  private final List<String> calls = new ArrayList<>();
  private final Twin twin = new Twin();

  /** A library's two sides, of which it brings the newer one to the other. */
  private final class Twin implements MirroredMemory {
    final ByteBuffer host = ByteBuffer.allocateDirect(BYTES);
    Side newer = Side.DEVICE;

    @Override
    public void bringTo(Side side) {
      calls.add("bring " + side);
      if (side != newer) {
        ByteBuffer from = newer == Side.HOST ? host : heap.bytes();
        bytes(side).put(0, from, 0, BYTES);
        newer = side;
      }
    }

    ByteBuffer bytes(Side side) {
      return side == Side.HOST ? host : heap.bytes();
    }

    @Override
    public void written(Side side) {
      calls.add("written " + side);
      newer = side;
    }

    @Override
    public long hostAddress() {
      return new BytePointer(host).address();
    }

    void fill(Side side, int value) {
      for (int i = 0; i < BYTES; i++) {
        bytes(side).put(i, (byte) value);
      }
      newer = side;
    }

    Region.OnDevice region() {
      Region.OnDevice plain = heap.region("twin", 0, BYTES, new ReadyAfter.Nothing());
      return new Region.OnDevice(
          "twin", plain.device(), plain.address(), BYTES, plain.after(), this, "byte[1000]");
    }
  }

  private void roundTrip(DeviceMemory memory, Region region, MirroredMemory.Side reached)
      throws Exception {
    MirroredMemory.Side other =
        reached == MirroredMemory.Side.HOST ? MirroredMemory.Side.DEVICE : MirroredMemory.Side.HOST;
    ProtectedRegions regions = new ProtectedRegions(memory, CHUNK_BYTES);
    regions.protect(Region.of("blob", () -> new byte[1], bytes -> calls.add("load")));
    regions.protect(region);
    try (ChunkCache cache = new ChunkCache(memory, 100 * CHUNK_BYTES, CHUNK_BYTES)) {
      twin.fill(other, 7);
      calls.clear();
      Snapshot snapshot = regions.snapshot();
      assertThat(calls).containsExactly("bring " + reached);
      CachedCheckpoint slots = cache.reserve(ID, 0, snapshot.chunks()).orElseThrow();
      List<RegionImage> images = snapshot.copyInto(slots).await();
      slots.complete(images, Ancestry.NONE, Fingerprint.NONE);
      twin.fill(other, 9);
      calls.clear();

      try (Pin pin = cache.find(ID, 0).orElseThrow().pin().orElseThrow()) {
        ByteBuffer staging = ByteBuffer.allocateDirect(CHUNK_BYTES);
        long unused = regions.restore(images, pin.reader(), staging);
      }
    }
    assertThat(calls).containsExactly("bring " + reached, "written " + reached, "load");
    twin.bringTo(other);
    for (int i = 0; i < BYTES; i++) {
      assertThat(twin.bytes(other).get(i)).isEqualTo((byte) 7);
    }
  }

  @Test
  void aDeviceThatReachesItCopiesThere() throws Exception {
    try (DeviceMemory device = new DelayedDevice(1 << 20, 3, heap)) {
      roundTrip(device, twin.region(), MirroredMemory.Side.DEVICE);
    }
  }

  @Test
  void anotherOneCopiesItsHostMemory() throws Exception {
    Region.OnDevice elsewhere = twin.region();
    Region.OnDevice far =
        new Region.OnDevice(
            "twin",
            new io.cairn.DeviceName("fake", 1),
            elsewhere.address(),
            BYTES,
            elsewhere.after(),
            twin,
            elsewhere.kind());
    try (DeviceMemory device = new DelayedDevice(1 << 20, 3, heap)) {
      roundTrip(device, far, MirroredMemory.Side.HOST);
    }
  }

  @Test
  void gatheredSpansHaveTheirSides() throws Exception {
    try (DeviceMemory device = new DelayedDevice(1 << 20, 3, heap)) {
      roundTrip(
          device,
          Region.gather("both", List.of(new byte[3], twin.region())),
          MirroredMemory.Side.DEVICE);
    }
  }

  @Test
  void theKindIsThatOfBothSides() throws Exception {
    try (DeviceMemory device = new DelayedDevice(1 << 20, 3, heap);
        DeviceMemory unaware = new DelayedDevice(1 << 20, 3)) {
      ProtectedRegions near = new ProtectedRegions(device, CHUNK_BYTES);
      near.protect(twin.region());
      assertThat(near.program().entries()).containsValue("byte[1000]");
      ProtectedRegions plain = new ProtectedRegions(unaware, CHUNK_BYTES);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> plain.protect(heap.region("w", 0, 8, new ReadyAfter.Nothing())))
          .withMessageContaining("out of reach");
    }
  }
}
