package io.cairn.cache.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Region;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.LeasedPlaces;
import io.cairn.cache.chunk.Pin;
import io.cairn.cache.chunk.Place;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A capture on a device whose copies land late. */
class CaptureTest {
  private static final CheckpointId ID = new CheckpointId(new GroupId("job", "g"), 1, 1);
  private static final int CHUNK_BYTES = 64;
  private static final int SLOTS = 8;

  private final DelayedDevice device = new DelayedDevice(SLOTS * CHUNK_BYTES, 11);
  private final ChunkCache cache;
  private final ProtectedRegions regions = new ProtectedRegions(device, CHUNK_BYTES);
  private final long[] weights = new long[4 * CHUNK_BYTES / Long.BYTES];

  CaptureTest() throws IOException {
    cache = new ChunkCache(device, SLOTS * CHUNK_BYTES, CHUNK_BYTES);
    regions.protect(Region.of("weights", weights));
  }

  @AfterEach
  void closeAll() {
    cache.close();
    while (device.pending() > 0) {
      device.advance();
    }
    device.close();
  }

  private CachedCheckpoint reserve() {
    return cache.reserve(ID, 0, 4).orElseThrow();
  }

  private void restore(CachedCheckpoint checkpoint) throws IOException {
    try (Pin pin = checkpoint.pin().orElseThrow()) {
      regions.restore(checkpoint.images(), pin.reader(), ByteBuffer.allocateDirect(CHUNK_BYTES));
    }
  }

  @Test
  void writesAfterItsEndAreNotCaptured() throws Exception {
    Arrays.fill(weights, 1);
    CachedCheckpoint slots = reserve();
    Capture capture = regions.snapshot().copyInto(slots);
    assertThat(device.pending()).isEqualTo(4);
    int polls = 0;
    while (!capture.isDone()) {
      polls++;
    }
    assertThat(polls).isPositive();
    assertThat(device.pending()).isZero();
    Arrays.fill(weights, 2);
    slots.complete(capture.await(), Ancestry.NONE, Fingerprint.NONE);
    restore(slots);
    assertThat(weights).containsOnly(1);
  }

  @Test
  void writesBeforeItsEndTearTheCapture() throws Exception {
    Arrays.fill(weights, 1);
    CachedCheckpoint slots = reserve();
    Capture capture = regions.snapshot().copyInto(slots);
    device.advance();
    device.advance();
    device.advance();
    assertThat(device.pending()).isBetween(1, 3);
    Arrays.fill(weights, 2);
    slots.complete(capture.await(), Ancestry.NONE, Fingerprint.NONE);
    restore(slots);
    assertThat(weights).contains(1, 2);
  }

  @Test
  void slotsThatAreDiscardedTooEarlyStayTakenUntilTheCopiesLanded() throws Exception {
    CachedCheckpoint slots = reserve();
    Capture capture = regions.snapshot().copyInto(slots);
    slots.discard();
    assertThat(cache.freeSlots()).isEqualTo(4);
    assertThat(cache.reserve(ID, 1, 5)).isEmpty();
    capture.await();
    assertThat(cache.freeSlots()).isEqualTo(8);
    assertThat(device.pending()).isZero();
  }

  /** A leased slot that is given back would be another's, and the copy may land there. */
  @Test
  void slotsOfADeviceThatDoesNotAnswerStayTaken() throws IOException {
    CachedCheckpoint slots = reserve();
    device.hangNextCopy();
    Capture capture = regions.snapshot().copyInto(slots);
    assertThatIOException().isThrownBy(capture::await).withMessageContaining("does not answer");
    capture.abandon();
    slots.discard();
    assertThat(cache.freeSlots()).isEqualTo(4);

    device.endHang();
    capture.abandon();

    assertThat(cache.freeSlots()).isEqualTo(8);
  }

  /** Some chunks may still be copied again, to the same slots. */
  @Test
  void aCaptureThatIsDoneKeepsItsSlotsUntilItIsAwaited() throws Exception {
    CachedCheckpoint slots = reserve();
    Capture capture = regions.snapshot().copyInto(slots);
    while (!capture.isDone()) {
      device.advance();
    }

    slots.discard();

    assertThat(cache.freeSlots()).isEqualTo(4);
    capture.await();
    assertThat(cache.freeSlots()).isEqualTo(8);
  }

  @Test
  void aFailedCopyFailsTheCaptureAfterAllHaveEnded() {
    CachedCheckpoint slots = reserve();
    device.failNextCopy(new IOException("broken link"));
    Capture capture = regions.snapshot().copyInto(slots);
    assertThatIOException().isThrownBy(capture::await).withMessageContaining("broken link");
    assertThat(device.pending()).isZero();
    assertThat(capture.isDone()).isTrue();
    slots.discard();
    assertThat(cache.freeSlots()).isEqualTo(SLOTS);
  }

  @Test
  void anInterruptionEndsTheWaitingButNotTheCapture() throws Exception {
    CachedCheckpoint slots = reserve();
    Capture capture = regions.snapshot().copyInto(slots);
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class).isThrownBy(capture::await);
    assertThat(device.pending()).isPositive();
    List<RegionImage> images = capture.await();
    assertThat(images).singleElement().extracting(RegionImage::chunks).isEqualTo(4);
    assertThat(capture.await()).isEqualTo(images);
  }

  @Test
  void slotsMustFit() {
    CachedCheckpoint tooMany = cache.reserve(ID, 1, 3).orElseThrow();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> regions.snapshot().copyInto(tooMany))
        .withMessageContaining("3 slots of 64 bytes for 4 chunks of 64");
    CachedCheckpoint gone = reserve();
    gone.discard();
    assertThatIllegalStateException()
        .isThrownBy(() -> regions.snapshot().copyInto(gone))
        .withMessageContaining("discarded");
  }

  @Test
  void aCaptureResumesWhenChunksHavePlaces() throws Exception {
    Arrays.fill(weights, 3);
    CachedCheckpoint blocker = cache.reserve(ID, 5, SLOTS - 1).orElseThrow();
    CachedCheckpoint target = cache.reservePart(ID, 0, 4);
    Capture capture = regions.snapshot().copyInto(target);
    assertThat(device.pending()).isEqualTo(1);
    assertThatIllegalStateException()
        .isThrownBy(capture::await)
        .withMessageContaining("3 chunks have no place yet");
    try (DelayedDevice host = new DelayedDevice(4 * CHUNK_BYTES, 2)) {
      target.add(loanOf(host, 1));
      assertThat(capture.resume()).isEqualTo(2);
      target.add(loanOf(host, 2));
      assertThat(capture.isDone()).as("two are not even started").isFalse();
      assertThat(capture.resume()).isZero();
      target.complete(capture.await(), Ancestry.NONE, Fingerprint.NONE);
      Arrays.fill(weights, 0);
      restore(target);
      assertThat(weights).containsOnly(3);
    }
    blocker.discard();
  }

  @Test
  void aRestoreHasSeveralCopiesUnderWay() throws Exception {
    Arrays.fill(weights, 4);
    CachedCheckpoint slots = reserve();
    slots.complete(regions.snapshot().copyInto(slots).await(), Ancestry.NONE, Fingerprint.NONE);
    AtomicInteger most = new AtomicInteger();
    try (Pin pin = slots.pin().orElseThrow()) {
      ChunkReader watched = watched(pin.reader(), most);

      for (int round = 0; round < 20; round++) {
        regions.restore(slots.images(), watched, ByteBuffer.allocateDirect(CHUNK_BYTES));
      }
    }

    assertThat(most).hasValueGreaterThan(1);
    assertThat(weights).containsOnly(4);
  }

  /** Notes how many copies are pending when a read was started. */
  private ChunkReader watched(ChunkReader reader, AtomicInteger most) {
    return new ChunkReader() {
      @Override
      public void read(int region, int chunk, ByteBuffer into) throws IOException {
        reader.read(region, chunk, into);
      }

      @Override
      public Reading start(int region, int chunk, ByteBuffer into) throws IOException {
        Reading reading = reader.start(region, chunk, into);
        most.accumulateAndGet(device.pending(), Math::max);
        return reading;
      }
    };
  }

  private static LeasedPlaces loanOf(DeviceMemory memory, int chunks) throws IOException {
    DeviceAddress all = memory.allocate((long) chunks * CHUNK_BYTES);
    return new LeasedPlaces(
        IntStream.range(0, chunks).toArray(),
        slot -> new Place(memory, all.slice((long) slot * CHUNK_BYTES, CHUNK_BYTES)),
        () -> {});
  }

  @Test
  void anAbandonedCaptureLeavesNoCopyInFlight() {
    CachedCheckpoint blocker = cache.reserve(ID, 5, SLOTS - 2).orElseThrow();
    CachedCheckpoint target = cache.reservePart(ID, 0, 4);
    Capture capture = regions.snapshot().copyInto(target);
    target.discard();
    assertThat(cache.freeSlots()).as("still being written").isZero();
    capture.abandon();
    assertThat(device.pending()).isZero();
    assertThat(cache.freeSlots()).isEqualTo(2);
    blocker.discard();
  }

  @Test
  void aCaptureThatCannotStartLeavesNoCopyInFlight() throws Exception {
    try (DelayedDevice below = new DelayedDevice(SLOTS * CHUNK_BYTES, 3);
        ChunkCache refusing =
            new ChunkCache(refusingAfter(1, below), SLOTS * CHUNK_BYTES, CHUNK_BYTES);
        DelayedDevice host = new DelayedDevice(4 * CHUNK_BYTES, 2)) {
      CachedCheckpoint blocker = refusing.reserve(ID, 5, SLOTS - 3).orElseThrow();
      CachedCheckpoint slots = refusing.reservePart(ID, 0, 4);
      Capture capture = regions.snapshot().copyInto(slots);
      assertThat(below.pending()).isEqualTo(3);
      slots.add(loanOf(refusingAfter(0, host), 1));
      assertThatIllegalStateException().isThrownBy(capture::resume).withMessage("no more");
      assertThat(below.pending()).isZero();
      slots.discard();
      assertThat(refusing.freeSlots()).isEqualTo(3);
      blocker.discard();
    }
  }

  /** A library of the device's may be missing. */
  @Test
  void aCaptureThatAnErrorPreventsHoldsNoSlot() throws Exception {
    try (DelayedDevice below = new DelayedDevice(SLOTS * CHUNK_BYTES, 3);
        ChunkCache broken =
            new ChunkCache(
                throwingAfter(0, below, new NoClassDefFoundError("io/cairn/Missing")),
                SLOTS * CHUNK_BYTES,
                CHUNK_BYTES)) {
      CachedCheckpoint slots = broken.reserve(ID, 0, 4).orElseThrow();

      assertThatExceptionOfType(NoClassDefFoundError.class)
          .isThrownBy(() -> regions.snapshot().copyInto(slots));

      slots.discard();
      assertThat(broken.freeSlots()).isEqualTo(SLOTS);
    }
  }

  /** A device, as long as it is asked for no more than so many batches. */
  private static DeviceMemory refusingAfter(int batches, DeviceMemory device) {
    return throwingAfter(batches, device, new IllegalStateException("no more"));
  }

  private static DeviceMemory throwingAfter(int batches, DeviceMemory device, Throwable failure) {
    AtomicInteger left = new AtomicInteger(batches);
    return (DeviceMemory)
        Proxy.newProxyInstance(
            DeviceMemory.class.getClassLoader(),
            new Class<?>[] {DeviceMemory.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("copyAndChecksumAsync") && left.getAndDecrement() == 0) {
                throw failure;
              }
              return method.invoke(device, arguments);
            });
  }
}
