package io.cairn.cache.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ChunkCacheTest {
  private static final int CHUNK_BYTES = 64;
  private static final GroupId GROUP = new GroupId("job", "fold-1");

  private final DelayedDevice device = new DelayedDevice(10 * CHUNK_BYTES, 7);
  private final List<CachedCheckpoint> evicted = new ArrayList<>();
  private ChunkCache cache;

  ChunkCacheTest() throws IOException {
    cache = new ChunkCache(device, 10 * CHUNK_BYTES, CHUNK_BYTES);
  }

  @BeforeEach
  void listen() {
    cache.onEvict(evicted::add);
  }

  @AfterEach
  void closeAll() {
    cache.close();
    device.close();
  }

  private static CheckpointId id(long iteration) {
    return new CheckpointId(GROUP, 1, iteration);
  }

  private CachedCheckpoint reserve(long iteration, int slots) {
    return cache.reserve(id(iteration), 0, slots).orElseThrow();
  }

  private CachedCheckpoint complete(long iteration, int slots) {
    CachedCheckpoint checkpoint = reserve(iteration, slots);
    checkpoint.complete(images(slots), Ancestry.NONE, Fingerprint.NONE);
    return checkpoint;
  }

  private static List<RegionImage> images(int chunks) {
    return List.of(new RegionImage("r", (long) chunks * CHUNK_BYTES, CHUNK_BYTES, new int[chunks]));
  }

  @Test
  void everyChangeThatMakesRoomIsSignalled() {
    CachedCheckpoint reserved = reserve(1, 3);
    Pin pin = reserved.pin().orElseThrow();

    CompletableFuture<?> evictable = cache.nextRoom();
    reserved.complete(images(3), Ancestry.NONE, Fingerprint.NONE);
    assertThat(evictable).isCompleted();

    CompletableFuture<?> unpinned = cache.nextRoom();
    assertThat(unpinned).isNotDone();
    pin.close();
    assertThat(unpinned).isCompleted();

    CompletableFuture<?> discarded = cache.nextRoom();
    reserved.discard();
    assertThat(discarded).isCompleted();
  }

  @Test
  void slotsThatAreTakenBackAreSignalled() {
    int[] lent = cache.lentSlots().lend(2);
    CompletableFuture<?> back = cache.nextRoom();
    assertThat(back).isNotDone();

    cache.lentSlots().takeBack(lent);

    assertThat(back).isCompleted();
  }

  @Test
  void theOldestUnpinnedCheckpointsMakeRoom() {
    complete(1, 3);
    Pin pin = complete(2, 3).pin().orElseThrow();
    complete(3, 3);
    complete(4, 2);
    assertThat(evicted).extracting(CachedCheckpoint::id).containsExactly(id(1));
    complete(5, 4);
    assertThat(evicted).extracting(CachedCheckpoint::id).containsExactly(id(1), id(3));
    assertThat(cache.evictions()).isEqualTo(2);
    assertThat(cache.of(GROUP, 0))
        .extracting(CachedCheckpoint::id)
        .containsExactly(id(5), id(4), id(2));
    pin.close();
  }

  @Test
  void supersededCheckpointsMakeRoomBeforeTheNewestOfAnotherRank() {
    CachedCheckpoint newestOfAnother = cache.reserve(id(1), 1, 3).orElseThrow();
    newestOfAnother.complete(images(3), Ancestry.NONE, Fingerprint.NONE);
    CachedCheckpoint superseded = complete(1, 3);
    complete(2, 3);

    reserve(3, 3);

    assertThat(evicted).containsExactly(superseded);
  }

  @Test
  void theNewestOfAnotherRankMakesRoomIfNothingElseDoes() {
    CachedCheckpoint newestOfAnother = cache.reserve(id(1), 1, 6).orElseThrow();
    newestOfAnother.complete(images(6), Ancestry.NONE, Fingerprint.NONE);
    CachedCheckpoint superseded = complete(1, 1);
    complete(2, 3);

    reserve(3, 7);

    assertThat(evicted).containsExactly(superseded, newestOfAnother);
  }

  @Test
  void nothingIsEvictedInVain() {
    complete(1, 4);
    Pin pin = complete(2, 4).pin().orElseThrow();
    assertThat(cache.reserve(id(3), 0, 7)).isEmpty();
    assertThat(cache.reserve(id(3), 0, 11)).isEmpty();
    assertThat(evicted).isEmpty();
    assertThat(cache.freeSlots()).isEqualTo(2);
    pin.close();
    assertThat(cache.reserve(id(3), 0, 7)).isPresent();
    assertThat(evicted).hasSize(2);
  }

  @Test
  void aReservationIsNeitherFoundNorEvicted() {
    CachedCheckpoint reserved = reserve(1, 6);
    assertThat(cache.find(id(1), 0)).isEmpty();
    assertThat(cache.of(GROUP, 0)).isEmpty();
    assertThat(cache.reserve(id(2), 0, 5)).isEmpty();
    reserved.complete(images(6), new Ancestry(List.of(new Ancestry.Step(1, 1))), Fingerprint.NONE);
    assertThat(cache.find(id(1), 0)).containsSame(reserved);
    assertThat(cache.find(id(1), 1)).isEmpty();
    assertThat(reserved.images()).isEqualTo(images(6));
    assertThat(reserved.ancestry().steps()).hasSize(1);
    assertThat(cache.reserve(id(2), 0, 5)).isPresent();
  }

  @Test
  void aDiscardedOneKeepsItsSlotsUntilItsLastPinIsClosed() {
    CachedCheckpoint checkpoint = complete(1, 4);
    Pin first = checkpoint.pin().orElseThrow();
    Pin second = checkpoint.pin().orElseThrow();
    checkpoint.discard();
    assertThat(cache.find(id(1), 0)).isEmpty();
    assertThat(checkpoint.pin()).isEmpty();
    assertThat(cache.freeSlots()).isEqualTo(6);
    first.close();
    first.close();
    assertThat(cache.freeSlots()).isEqualTo(6);
    second.close();
    assertThat(cache.freeSlots()).isEqualTo(10);
    checkpoint.discard();
    assertThat(cache.freeSlots()).isEqualTo(10);
    assertThat(evicted).isEmpty();
  }

  @Test
  void anIdIsNeverHereTwice() {
    reserve(1, 1);
    assertThatIllegalStateException()
        .isThrownBy(() -> reserve(1, 1))
        .withMessageContaining("never reused");
    assertThat(cache.reserve(id(1), 1, 1)).as("another rank").isPresent();
  }

  @Test
  void completeChecksTheImagesAndItsState() {
    CachedCheckpoint checkpoint = reserve(1, 2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> checkpoint.complete(images(3), Ancestry.NONE, Fingerprint.NONE))
        .withMessageContaining("3 chunks in 2 places of 2");
    List<RegionImage> otherLength = List.of(new RegionImage("r", 64, CHUNK_BYTES / 2, new int[2]));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> checkpoint.complete(otherLength, Ancestry.NONE, Fingerprint.NONE));
    checkpoint.complete(images(2), Ancestry.NONE, Fingerprint.NONE);
    assertThatIllegalStateException()
        .isThrownBy(() -> checkpoint.complete(images(2), Ancestry.NONE, Fingerprint.NONE));
    CachedCheckpoint discarded = reserve(2, 2);
    discarded.discard();
    assertThatIllegalStateException()
        .isThrownBy(() -> discarded.complete(images(2), Ancestry.NONE, Fingerprint.NONE));
  }

  @Test
  void readsTheChunksOfEachRegionWhilePinned() throws Exception {
    CachedCheckpoint checkpoint = reserve(1, 3);
    List<byte[]> chunks = List.of(new byte[CHUNK_BYTES], new byte[10], new byte[CHUNK_BYTES]);
    List<Integer> checksums = new ArrayList<>();
    for (int slot = 0; slot < 3; slot++) {
      Arrays.fill(chunks.get(slot), (byte) (slot + 1));
      DeviceAddress target = checkpoint.place(slot).address().slice(0, chunks.get(slot).length);
      CopyEvent event = device.copyAndChecksumAsync(HostMemory.of(chunks.get(slot)), 0, target);
      event.await();
      checksums.add(event.checksum());
    }
    checkpoint.complete(
        List.of(
            new RegionImage(
                "a", CHUNK_BYTES + 10, CHUNK_BYTES, new int[] {checksums.get(0), checksums.get(1)}),
            new RegionImage("none", 0, CHUNK_BYTES, new int[0]),
            new RegionImage("b", CHUNK_BYTES, CHUNK_BYTES, new int[] {checksums.get(2)})),
        Ancestry.NONE,
        Fingerprint.NONE);
    ByteBuffer into = ByteBuffer.allocate(200).position(5);
    assertThatIllegalStateException()
        .isThrownBy(() -> checkpoint.reader().read(0, 0, into))
        .withMessageContaining("without a pin");
    try (Pin pin = checkpoint.pin().orElseThrow()) {
      pin.reader().read(0, 1, into);
      assertThat(into.position()).isEqualTo(15);
      assertThat(into.limit()).isEqualTo(200);
      pin.reader().read(2, 0, into);
      assertThat(into.position()).isEqualTo(15 + CHUNK_BYTES);
    }
    assertThat(into.get(4)).isZero();
    assertThat(into.get(5)).isEqualTo((byte) 2);
    assertThat(into.get(14)).isEqualTo((byte) 2);
    assertThat(into.get(15)).isEqualTo((byte) 3);
  }

  @Test
  void aDeviceWithoutRoomKeepsNothing() throws Exception {
    try (DelayedDevice small = new DelayedDevice(5 * CHUNK_BYTES, 1)) {
      assertThatIOException()
          .isThrownBy(() -> new ChunkCache(small, 6 * CHUNK_BYTES, CHUNK_BYTES))
          .withMessageContaining("only 5 fit into " + small.describe());
      try (ChunkCache fits = new ChunkCache(small, 5 * CHUNK_BYTES + 3, CHUNK_BYTES)) {
        assertThat(fits.slots()).isEqualTo(5);
      }
      small.free(small.allocate(5 * CHUNK_BYTES));
    }
  }

  @Test
  void refusesLengthsThatNoSlotCanHave() {
    for (int chunkBytes : new int[] {-8, 0, 12, 16 * CHUNK_BYTES}) {
      assertThatIllegalArgumentException()
          .as("%d", chunkBytes)
          .isThrownBy(() -> new ChunkCache(device, 10 * CHUNK_BYTES, chunkBytes));
    }
  }

  @Test
  void closeGivesTheMemoryBackThatOfPinnedOnesLater() throws Exception {
    complete(1, 3);
    reserve(2, 2);
    Pin pin = complete(3, 4).pin().orElseThrow();
    cache.close();
    cache.close();
    assertThat(evicted).isEmpty();
    assertThatIllegalStateException().isThrownBy(() -> reserve(4, 1)).withMessageContaining("clos");
    assertThatIOException().isThrownBy(() -> device.allocate(10 * CHUNK_BYTES));
    pin.close();
    device.free(device.allocate(10 * CHUNK_BYTES));
  }
}
