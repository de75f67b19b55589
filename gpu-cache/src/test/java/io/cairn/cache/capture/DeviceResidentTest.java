package io.cairn.cache.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Regions that lie on a device go into its cache and back, in the order of the device's work. */
class DeviceResidentTest {
  private static final CheckpointId ID = new CheckpointId(new GroupId("job", "g"), 1, 5);
  private static final int CHUNK_BYTES = 64;
  private static final int BYTES = 1000;
  private static final long STREAM = 17;
  private static final long IDLE = 18;
  private static final long EVENT = 3;

  private final DeviceHeap heap = new DeviceHeap(2 * BYTES);
  private final CopyCounter counter = new CopyCounter();

  /** Work that writes one value over all of the heap. */
  private Runnable kernel(int value) {
    return () -> {
      for (int i = 0; i < heap.bytes().capacity(); i++) {
        heap.bytes().put(i, (byte) value);
      }
    };
  }

  private CachedCheckpoint capture(ChunkCache cache, ProtectedRegions regions) throws Exception {
    Snapshot snapshot = regions.snapshot();
    CachedCheckpoint slots = cache.reserve(ID, 0, snapshot.chunks()).orElseThrow();
    slots.complete(snapshot.copyInto(slots).await(), Ancestry.NONE, Fingerprint.NONE);
    return slots;
  }

  private static void restore(CachedCheckpoint checkpoint, ProtectedRegions regions)
      throws Exception {
    try (Pin pin = checkpoint.pin().orElseThrow()) {
      regions.restore(checkpoint.images(), pin.reader(), ByteBuffer.allocateDirect(CHUNK_BYTES));
    }
  }

  /** Regions and room for some of their chunks on the device, and for all on the host. */
  private CachedCheckpoint reservePart(ChunkCache cache, Snapshot snapshot) {
    CachedCheckpoint slots = cache.reservePart(ID, 0, snapshot.chunks());
    assertThat(slots.placed()).isPositive().isLessThan(snapshot.chunks());
    assertThat(slots.addHost(snapshot.chunks())).isPositive();
    assertThat(slots.placed()).isEqualTo(snapshot.chunks());
    return slots;
  }

  /** A chunk of the gathered region has bytes of both memories. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void chunksWithoutRoomOnTheDeviceGoThroughTheHost(long seed, @TempDir Path directory)
      throws Exception {
    byte[] counters = {9, 9, 9, 9, 9};
    try (DelayedDevice delayed = new DelayedDevice(1 << 16, seed, heap);
        DeviceMemory device = counter.count(delayed);
        SharedMemoryDevice host = SharedMemoryDevice.open(directory, directory, 1 << 16);
        ChunkCache cache =
            new ChunkCache(device, 5 * CHUNK_BYTES, host, 40 * CHUNK_BYTES, CHUNK_BYTES)) {
      ProtectedRegions regions = new ProtectedRegions(device, CHUNK_BYTES);
      regions.protect(heap.region("weights", 0, BYTES, new ReadyAfter.Stream(STREAM)));
      regions.protect(
          Region.gather(
              "rest",
              List.of(
                  Region.of("counters", counters),
                  heap.region("momentum", BYTES, BYTES, new ReadyAfter.Event(EVENT)))));
      delayed.launch(STREAM, kernel(1));
      delayed.launch(STREAM, kernel(2));
      delayed.record(EVENT, STREAM);
      Snapshot snapshot = regions.snapshot();
      CachedCheckpoint slots = reservePart(cache, snapshot);

      Capture capture = snapshot.copyInto(slots);
      assertThat(capture.isSourceFree()).isFalse();
      slots.complete(capture.await(), Ancestry.NONE, Fingerprint.NONE);
      delayed.launch(STREAM, kernel(3));
      counters[4] = 3;
      restore(slots, regions);

      byte[] found = new byte[2 * BYTES];
      heap.bytes().get(0, found);
      assertThat(found).containsOnly(2);
      assertThat(counters).containsOnly(9);
    }
  }

  /** A pool of events records one again as soon as the call has returned. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whatGoesThroughTheHostWaitsForTheWorkThatItsEventHadAtTheStart(
      long seed, @TempDir Path directory) throws Exception {
    try (DelayedDevice device = new DelayedDevice(1 << 16, seed, heap);
        SharedMemoryDevice host = SharedMemoryDevice.open(directory, directory, 1 << 16);
        ChunkCache cache =
            new ChunkCache(device, 5 * CHUNK_BYTES, host, 40 * CHUNK_BYTES, CHUNK_BYTES)) {
      ProtectedRegions regions = new ProtectedRegions(device, CHUNK_BYTES);
      regions.protect(heap.region("weights", 0, 2 * BYTES, new ReadyAfter.Event(EVENT)));
      device.launch(STREAM, kernel(1));
      device.launch(STREAM, kernel(2));
      device.record(EVENT, STREAM);
      Snapshot snapshot = regions.snapshot();
      CachedCheckpoint slots = cache.reservePart(ID, 0, snapshot.chunks());

      Capture capture = snapshot.copyInto(slots);
      int atHome = slots.placed();
      assertThat(slots.addHost(snapshot.chunks())).isPositive();
      device.record(EVENT, IDLE);
      assertThat(capture.resume()).isZero();
      assertThat(capture.hasLanded(atHome, snapshot.chunks())).isTrue();
      slots.complete(capture.await(), Ancestry.NONE, Fingerprint.NONE);
      device.launch(STREAM, kernel(3));
      device.record(EVENT, STREAM);
      restore(slots, regions);

      assertThat(bytesOfHeap()).containsOnly(2);
    }
  }

  @Test
  void anAbandonedCaptureSendsNoMoreThroughTheHost(@TempDir Path directory) throws Exception {
    try (DelayedDevice delayed = new DelayedDevice(1 << 16, 1, heap);
        DeviceMemory device = counter.count(delayed);
        SharedMemoryDevice host = SharedMemoryDevice.open(directory, directory, 1 << 16);
        ChunkCache cache =
            new ChunkCache(device, 5 * CHUNK_BYTES, host, 40 * CHUNK_BYTES, CHUNK_BYTES)) {
      ProtectedRegions regions = new ProtectedRegions(device, CHUNK_BYTES);
      regions.protect(heap.region("weights", 0, BYTES, new ReadyAfter.Stream(STREAM)));
      Snapshot snapshot = regions.snapshot();

      snapshot.copyInto(reservePart(cache, snapshot)).abandon();

      assertThat(counter.bytesToHost()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void captureAndRestoreKeepTheOrderOfTheDevicesWork(long seed) throws Exception {
    try (DelayedDevice delayed = new DelayedDevice(1 << 16, seed, heap);
        DeviceMemory device = counter.count(delayed);
        ChunkCache cache = new ChunkCache(device, 40 * CHUNK_BYTES, CHUNK_BYTES)) {
      ProtectedRegions regions = new ProtectedRegions(device, CHUNK_BYTES);
      regions.protect(heap.region("weights", 0, BYTES, new ReadyAfter.Stream(STREAM)));
      regions.protect(heap.region("momentum", BYTES, BYTES, new ReadyAfter.Event(EVENT)));
      regions.protect(Region.of("iteration", new long[] {seed}));
      delayed.launch(STREAM, kernel(1));
      delayed.launch(STREAM, kernel(2));
      delayed.record(EVENT, STREAM);

      CachedCheckpoint checkpoint = capture(cache, regions);
      delayed.launch(STREAM, kernel(3));
      delayed.record(EVENT, STREAM);
      restore(checkpoint, regions);

      assertThat(bytesOfHeap()).containsOnly(2);
      assertThat(counter.bytesToDevice()).as("captured").isEqualTo(2 * BYTES + 8);
      assertThat(counter.bytesToHost()).as("the host's region").isEqualTo(8);
    }
  }

  /** The host waits for nothing: the stream itself waits for the copies. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aStreamGoesOnWithoutTheHost(long seed) throws Exception {
    try (DelayedDevice device = new DelayedDevice(1 << 16, seed, heap);
        ChunkCache cache = new ChunkCache(device, 40 * CHUNK_BYTES, CHUNK_BYTES)) {
      ProtectedRegions regions = new ProtectedRegions(device, CHUNK_BYTES);
      regions.protect(heap.region("weights", 0, 2 * BYTES, new ReadyAfter.Stream(STREAM)));
      device.launch(STREAM, kernel(1));
      Snapshot snapshot = regions.snapshot();
      CachedCheckpoint slots = cache.reserve(ID, 0, snapshot.chunks()).orElseThrow();

      Capture capture = snapshot.copyInto(slots);
      assertThat(capture.isSourceFree()).isTrue();
      device.launch(STREAM, kernel(2));
      slots.complete(capture.await(), Ancestry.NONE, Fingerprint.NONE);
      while (device.pending() > 0) {
        device.advance();
      }
      assertThat(bytesOfHeap()).containsOnly(2);
      restore(slots, regions);

      assertThat(bytesOfHeap()).containsOnly(1);
    }
  }

  /** The training does not wait for the copies either, but its later work does. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aStreamWaitsForACaptureBesideOnceItsSourcesAreToBeFree(long seed) throws Exception {
    try (DelayedDevice device = new DelayedDevice(1 << 16, seed, heap);
        ChunkCache cache = new ChunkCache(device, 40 * CHUNK_BYTES, CHUNK_BYTES)) {
      ProtectedRegions regions = new ProtectedRegions(device, CHUNK_BYTES);
      regions.protect(heap.region("weights", 0, 2 * BYTES, new ReadyAfter.Stream(STREAM)));
      device.launch(STREAM, kernel(1));
      Snapshot snapshot = regions.snapshotToCopyLater();
      CachedCheckpoint slots = cache.reserve(ID, 0, snapshot.chunks()).orElseThrow();
      CaptureBeside beside = snapshot.copyBeside(slots);
      assertThat(beside.capture().isSourceFree()).isFalse();

      beside.awaitFree();
      assertThat(device.pending()).as("copies under way").isPositive();
      device.launch(STREAM, kernel(2));
      slots.complete(beside.capture().await(), Ancestry.NONE, Fingerprint.NONE);
      while (device.pending() > 0) {
        device.advance();
      }
      assertThat(bytesOfHeap()).containsOnly(2);
      restore(slots, regions);

      assertThat(bytesOfHeap()).containsOnly(1);
    }
  }

  @Test
  void theDeviceRestoresNoChunkThatDoesNotVerify() throws Exception {
    try (DelayedDevice device = new DelayedDevice(1 << 16, 1, heap);
        ChunkCache cache = new ChunkCache(device, 40 * CHUNK_BYTES, CHUNK_BYTES)) {
      ProtectedRegions regions = new ProtectedRegions(device, CHUNK_BYTES);
      regions.protect(heap.region("weights", 0, 10, new ReadyAfter.Stream(STREAM)));
      CachedCheckpoint checkpoint = capture(cache, regions);
      device.launch(STREAM, kernel(3));
      RegionImage other = new RegionImage("weights", 10, CHUNK_BYTES, new int[] {17});

      try (Pin pin = checkpoint.pin().orElseThrow()) {
        ByteBuffer staging = ByteBuffer.allocateDirect(CHUNK_BYTES);
        assertThatThrownBy(() -> regions.restore(List.of(other), pin.reader(), staging))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("region weights, chunk 0: checksum 00000011 expected");
      }

      while (device.pending() > 0) {
        device.advance();
      }
      assertThat(bytesOfHeap()).containsOnly(3);
    }
  }

  /** The device does not know where the application's next work is. */
  @Test
  void memoryInNoOrderIsFreeWhenItsCopiesHaveLanded() throws Exception {
    try (DelayedDevice device = new DelayedDevice(1 << 16, 1, heap);
        ChunkCache cache = new ChunkCache(device, 40 * CHUNK_BYTES, CHUNK_BYTES)) {
      ProtectedRegions regions = new ProtectedRegions(device, CHUNK_BYTES);
      regions.protect(heap.region("weights", 0, BYTES, new ReadyAfter.Stream(STREAM)));
      regions.protect(heap.region("momentum", BYTES, BYTES, new ReadyAfter.Nothing()));
      Snapshot snapshot = regions.snapshot();
      CachedCheckpoint slots = cache.reserve(ID, 0, snapshot.chunks()).orElseThrow();

      Capture capture = snapshot.copyInto(slots);

      assertThat(capture.isSourceFree()).isFalse();
      capture.await();
      assertThat(capture.isSourceFree()).isTrue();
    }
  }

  private byte[] bytesOfHeap() {
    byte[] bytes = new byte[heap.bytes().capacity()];
    heap.bytes().get(0, bytes);
    return bytes;
  }

  @Test
  void memoryOfADeviceIsProtectedOnce() {
    try (DeviceMemory device = new DelayedDevice(64, 1, heap)) {
      ProtectedRegions regions = new ProtectedRegions(device, CHUNK_BYTES);
      regions.protect(heap.region("weights", 0, 100, new ReadyAfter.Nothing()));
      regions.protect(heap.region("state", 100, 50, new ReadyAfter.Nothing()));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> regions.protect(heap.region("again", 99, 1, new ReadyAfter.Nothing())))
          .withMessageContaining("again shares memory with region weights");
    }
  }

  @Test
  void memoryThatIsOutOfReachIsRefusedWhenItIsProtected(@TempDir Path directory) throws Exception {
    try (DeviceMemory device = SharedMemoryDevice.open(directory, directory, 4096)) {
      ProtectedRegions regions = new ProtectedRegions(device, CHUNK_BYTES);
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> regions.protect(heap.region("weights", 0, BYTES, new ReadyAfter.Nothing())))
          .withMessageContaining("region weights: 1000 bytes at 0x7f0000000000 of device fake:0")
          .withMessageContaining(device.describe())
          .withMessageContaining("host memory");
      assertThat(regions.snapshot().chunks()).isZero();
    }
  }
}
