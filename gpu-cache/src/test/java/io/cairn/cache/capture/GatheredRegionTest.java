package io.cairn.cache.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.CheckpointId;
import io.cairn.ErrorBound;
import io.cairn.GroupId;
import io.cairn.Layout;
import io.cairn.ReadyAfter;
import io.cairn.Region;
import io.cairn.RegionOptions;
import io.cairn.RestoreException;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.Pin;
import io.cairn.cache.memory.CopyCounter;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceHeap;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.GatheredSpans;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many spans that are one region. */
class GatheredRegionTest {
  private static final CheckpointId ID = new CheckpointId(new GroupId("job", "g"), 1, 5);
  private static final int CHUNK_BYTES = 64;

  private final CopyCounter counter = new CopyCounter();

  private static ProtectedRegions regions() {
    return new ProtectedRegions(new DelayedDevice(64, 1), CHUNK_BYTES);
  }

  @Test
  void smallTensorsShareOneSlot() {
    int slotBytes = 4 << 20;
    ProtectedRegions regions = new ProtectedRegions(new DelayedDevice(64, 1), slotBytes);
    List<float[]> tensors = Collections.nCopies(35, 900).stream().map(float[]::new).toList();
    regions.protect(Region.gather("tensors", tensors));

    assertThat(regions.fixedChunks()).isEqualTo(1);
    assertThat(regions.snapshot().chunks()).isEqualTo(1);
    assertThat(regions.snapshot().bytes()).isEqualTo(35 * 900 * Float.BYTES);
  }

  @Test
  void everySpanComesBackOnSharedMemory(@TempDir Path directory) throws Exception {
    try (DeviceMemory device = SharedMemoryDevice.open(directory, directory, 1 << 20)) {
      for (long seed = 0; seed < 60; seed++) {
        roundTrip(counter.count(device), seed);
      }
    }
  }

  @Test
  void everySpanComesBackOnADeviceWhoseCopiesLandLate() throws Exception {
    for (long seed = 0; seed < 30; seed++) {
      try (DeviceMemory device = new DelayedDevice(1 << 20, seed)) {
        roundTrip(counter.count(device), seed);
      }
    }
  }

  private void roundTrip(DeviceMemory device, long seed) throws Exception {
    GatheredSpans spans = GatheredSpans.random(seed);
    byte[] image = spans.image();
    ProtectedRegions regions = new ProtectedRegions(device, CHUNK_BYTES);
    regions.protect(spans.region("tensors"));
    regions.protect(Region.of("after", new long[] {seed}));
    Snapshot snapshot = regions.snapshot();
    long before = counter.bytesToDevice();
    try (ChunkCache cache = new ChunkCache(device, 1 << 20, CHUNK_BYTES)) {
      CachedCheckpoint slots = cache.reserve(ID, 0, snapshot.chunks()).orElseThrow();
      slots.complete(snapshot.copyInto(slots).await(), Ancestry.NONE, Fingerprint.NONE);
      assertThat(counter.bytesToDevice() - before).isEqualTo(image.length + Long.BYTES);
      spans.scramble(seed + 1);

      try (Pin pin = slots.pin().orElseThrow()) {
        List<ChunkReader> lanes = List.of(pin.reader(), pin.reader(), pin.reader());
        regions.restore(slots.images(), lanes, ByteBuffer.allocateDirect(CHUNK_BYTES));
      }

      assertThat(spans.image()).as("seed %d", seed).isEqualTo(image);
    }
  }

  @Test
  void spansOfADeviceComeBack() throws Exception {
    DeviceHeap heap = new DeviceHeap(1000);
    try (DelayedDevice device = new DelayedDevice(1 << 16, 3, heap);
        ChunkCache cache = new ChunkCache(device, 1 << 14, CHUNK_BYTES)) {
      byte[] state = new byte[1000];
      new Random(7).nextBytes(state);
      heap.bytes().put(0, state);
      short[] host = {1, 2, 3};
      ReadyAfter after = new ReadyAfter.Stream(5);
      ProtectedRegions regions = new ProtectedRegions(device, CHUNK_BYTES);
      regions.protect(
          Region.gather(
              "tensors",
              List.<Object>of(
                  heap.region("a", 0, 333, after), host, heap.region("b", 500, 201, after))));
      Snapshot snapshot = regions.snapshot();
      CachedCheckpoint slots = cache.reserve(ID, 0, snapshot.chunks()).orElseThrow();
      slots.complete(snapshot.copyInto(slots).await(), Ancestry.NONE, Fingerprint.NONE);
      heap.bytes().put(0, new byte[1000]);
      Arrays.fill(host, (short) 0);

      try (Pin pin = slots.pin().orElseThrow()) {
        regions.restore(slots.images(), pin.reader(), ByteBuffer.allocateDirect(CHUNK_BYTES));
      }

      byte[] found = new byte[1000];
      heap.bytes().get(0, found);
      byte[] expected = new byte[1000];
      System.arraycopy(state, 0, expected, 0, 333);
      System.arraycopy(state, 500, expected, 500, 201);
      assertThat(found).isEqualTo(expected);
      assertThat(host).containsExactly(1, 2, 3);
    }
  }

  @Test
  void noByteOfAChunkIsWrittenBeforeItsChecksumMatched() {
    byte[][] spans = {new byte[40], new byte[50], new byte[60]};
    ProtectedRegions regions = regions();
    regions.protect(Region.gather("tensors", List.of(spans)));
    byte[] good = new byte[150];
    Arrays.fill(good, (byte) 7);
    SavedRank saved = new SavedRank(CHUNK_BYTES, Fingerprint.NONE).with("tensors", good);
    List<RegionImage> images = saved.images();
    Arrays.fill(good, 100, 101, (byte) 8);
    ChunkReader unverified = (region, chunk, into) -> saved.read(region, chunk, into);

    assertThatIOException()
        .isThrownBy(() -> regions.restore(images, unverified, ByteBuffer.allocate(CHUNK_BYTES)))
        .withMessageContaining("region tensors, chunk 1");

    assertThat(spans[0]).containsOnly(7);
    assertThat(Arrays.copyOf(spans[1], 24)).containsOnly(7);
    assertThat(Arrays.copyOfRange(spans[1], 24, 50)).containsOnly(0);
    assertThat(spans[2]).containsOnly(0);
  }

  @Test
  void memoryIsProtectedOnce() {
    float[] weights = new float[9];
    ByteBuffer direct = ByteBuffer.allocateDirect(100);
    ProtectedRegions regions = regions();
    regions.protect(Region.of("weights", weights));
    regions.protect(Region.gather("tensors", List.<Object>of(new int[3], direct.slice(0, 50))));

    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> regions.protect(Region.gather("more", List.<Object>of(new int[3], weights))))
        .withMessage("region more shares memory with region weights, which is protected already");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> regions.protect(Region.of("tail", direct.slice(49, 51))))
        .withMessage("region tail shares memory with region tensors, which is protected already");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                regions.protect(
                    Region.gather("b", List.<Object>of(direct.slice(49, 3), new int[1]))))
        .withMessageContaining("region b shares memory with region tensors");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                regions.protect(
                    Region.gather("twice", List.<Object>of(new int[2], direct, direct))))
        .withMessage("region twice: spans 1 and 2 share memory; name each byte once");
  }

  @Test
  void aSpanThatCannotBeCapturedIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> regions().protect(Region.gather("tensors", List.<Object>of(new int[1], "text"))))
        .withMessageContaining("region tensors, span 1 of 2: region tensors: java.lang.String");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Region.gather("tensors", List.of(Region.of("rng", () -> new byte[1], bytes -> {}))))
        .withMessageContaining("region tensors cannot gather region rng");
  }

  @Test
  void aKindNamesElementsAndSpans() {
    ProtectedRegions regions = regions();
    regions.protect(Region.gather("floats", List.of(new float[3], new float[0], new float[4])));
    regions.protect(Region.gather("mixed", List.<Object>of(new float[3], new double[4])));
    regions.protect(Region.gather("none", List.of()));

    assertThat(regions.program().entries().get("region.floats"))
        .matches("float\\[7] in 3 spans, sha256 [0-9a-f]{16}");
    assertThat(regions.program().entries().get("region.mixed"))
        .matches("mixed\\[44] in 2 spans, sha256 [0-9a-f]{16}");
    assertThat(regions.program().entries().get("region.none")).startsWith("mixed[0] in 0 spans");
  }

  /** Of the same bytes, elements and number of spans. */
  @Test
  void otherSpansAreAnotherProgram() {
    ProtectedRegions wrote = regions();
    wrote.protect(Region.gather("tensors", List.of(new float[3], new float[4])));
    ProtectedRegions reads = regions();
    reads.protect(Region.gather("tensors", List.of(new float[4], new float[3])));

    assertThatExceptionOfType(RestoreException.class)
        .isThrownBy(() -> reads.checkProgram(wrote.program(), "c", Set.of()))
        .withMessageContaining("region.tensors");
  }

  @Test
  void oneArrayIsLoadedFromSpansOfItsElements() throws Exception {
    ProtectedRegions wrote = regions();
    wrote.protect(Region.gather("w", List.of(new int[3], new int[4])));
    SavedRank saved =
        new SavedRank(CHUNK_BYTES, wrote.program()).with("w", new int[] {1, 2, 3, 4, 5, 6, 7});
    int[] array = new int[7];
    ProtectedRegions reads = regions();
    reads.protect(Region.of("w", array));
    ProtectedRegions others = regions();
    others.protect(Region.gather("w", List.of(new int[4], new int[3])));
    ByteBuffer staging = ByteBuffer.allocate(CHUNK_BYTES);

    reads.load(saved.images(), wrote.program(), List.of(saved), staging, "c");

    assertThat(array).containsExactly(1, 2, 3, 4, 5, 6, 7);
    assertThatExceptionOfType(RestoreException.class)
        .isThrownBy(
            () -> others.load(saved.images(), wrote.program(), List.of(saved), staging, "c"))
        .withMessageContaining("cannot load region w of c: it is int[7] in 2 spans");
  }

  @Test
  void spansOfOneKindOfNumbersMayBeLossyAndASlice() {
    RegionOptions lossy = RegionOptions.DEFAULT.withLoss(ErrorBound.absolute(0.5));
    RegionOptions slice =
        RegionOptions.DEFAULT.withLayout(
            Layout.slice(new long[] {14}, new long[] {0}, new long[] {7}));
    ProtectedRegions regions = regions();
    regions.protect(Region.gather("floats", List.of(new float[3], new float[4])), lossy);
    regions.protect(Region.gather("part", List.of(new float[3], new float[4])), slice);

    assertThat(regions.program().entries()).containsEntry("lossy.floats", "float within 0.5");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                regions.protect(
                    Region.gather("m", List.<Object>of(new float[2], new double[1])), lossy))
        .withMessageContaining("region m cannot be lossy: it is 16 bytes of mixed");
  }

  @Test
  void spansThatMovedAreCapturedInTheirNewPlace() {
    ProtectedRegions regions = regions();
    regions.protect(Region.gather("tensors", List.of(new int[3], new int[4])));

    regions.relocate(Region.gather("tensors", List.of(new int[3], new int[4])));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> regions.relocate(Region.gather("tensors", List.of(new int[3]))))
        .withMessageContaining("tensors has 12 bytes in its new place and 28 in its old one");
  }

  /** Copies of tiny spans and of cut elements need no objects. */
  @Test
  void aCaptureOfTinySpansAllocatesNothingPerSpan(@TempDir Path directory) throws Exception {
    List<Object> spans = new ArrayList<>();
    for (int span = 0; span < 3000; span++) {
      spans.add(span % 3 == 0 ? new byte[span % 7] : new float[1 + span % 5]);
    }
    long allocated =
        CaptureAllocationTest.allocatedBytes(directory, Region.gather("tensors", spans), 4096);
    assertThat(allocated).isLessThan(3000L * Long.BYTES / 2);
  }
}
