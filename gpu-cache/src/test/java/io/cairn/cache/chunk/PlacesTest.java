package io.cairn.cache.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A checkpoint whose chunks lie at home, at a peer and in host memory. */
class PlacesTest {
  private static final int CHUNK_BYTES = 64;
  private static final GroupId GROUP = new GroupId("job", "g");

  private final DelayedDevice device = new DelayedDevice(4 * CHUNK_BYTES, 1);
  private final DelayedDevice host = new DelayedDevice(3 * CHUNK_BYTES, 2);
  private final DelayedDevice peerDevice = new DelayedDevice(6 * CHUNK_BYTES, 3);
  private final AtomicInteger givenBack = new AtomicInteger();
  private final ByteBuffer staging = ByteBuffer.allocateDirect(CHUNK_BYTES);
  private final ChunkCache cache;
  private final ChunkCache peer;
  private final PeerSlots peerSlots;

  PlacesTest() throws IOException {
    cache = new ChunkCache(device, 4 * CHUNK_BYTES, host, 3 * CHUNK_BYTES, CHUNK_BYTES);
    peer = new ChunkCache(peerDevice, 6 * CHUNK_BYTES, CHUNK_BYTES);
    peerSlots = PeerSlots.open(device, peer.lentSlots().exports(), CHUNK_BYTES);
  }

  @AfterEach
  void closeAll() {
    peerSlots.close();
    cache.close();
    peer.close();
    device.close();
    host.close();
    peerDevice.close();
  }

  private static CheckpointId id(long iteration) {
    return new CheckpointId(GROUP, 1, iteration);
  }

  private LeasedPlaces borrow(int slots) {
    return peerSlots.lease(peer.lentSlots().lend(slots), givenBack::incrementAndGet);
  }

  /** Fills each place with its number and completes. */
  private static void complete(CachedCheckpoint checkpoint) throws Exception {
    int[] checksums = new int[checkpoint.chunks()];
    for (int chunk = 0; chunk < checksums.length; chunk++) {
      byte[] bytes = new byte[CHUNK_BYTES];
      bytes[0] = (byte) chunk;
      Place place = checkpoint.place(chunk);
      CopyEvent event =
          place.engine().copyAndChecksumAsync(HostMemory.of(bytes), 0, place.address());
      event.await();
      checksums[chunk] = event.checksum();
    }
    long bytes = (long) checksums.length * CHUNK_BYTES;
    checkpoint.complete(
        List.of(new RegionImage("r", bytes, CHUNK_BYTES, checksums)),
        Ancestry.NONE,
        Fingerprint.NONE);
  }

  private static void requireContent(CachedCheckpoint checkpoint) throws IOException {
    try (Pin pin = checkpoint.pin().orElseThrow()) {
      ByteBuffer found = ByteBuffer.allocate(CHUNK_BYTES);
      for (int chunk = 0; chunk < checkpoint.chunks(); chunk++) {
        pin.reader().read(0, chunk, found.clear());
        assertThat(found.get(0)).isEqualTo((byte) chunk);
      }
    }
  }

  @Test
  void whatDoesNotFitAtHomeIsPlacedElsewhereInOrder() throws Exception {
    CachedCheckpoint checkpoint = cache.reservePart(id(1), 0, 8);
    assertThat(checkpoint.placed()).isEqualTo(4);
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> checkpoint.place(4))
        .withMessageContaining("chunk 4 has no place");
    LeasedPlaces leased = borrow(3);
    checkpoint.add(leased);
    assertThat(checkpoint.placed()).isEqualTo(7);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> checkpoint.add(borrow(2)))
        .withMessageContaining("2 chunks were lent, 1 have none");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> complete7(checkpoint))
        .withMessageContaining("8 chunks in 7 places");
    assertThat(checkpoint.addHost(5)).isEqualTo(1);
    assertThat(checkpoint.addHost(1)).isZero();
    complete(checkpoint);
    assertThatIllegalStateException().isThrownBy(() -> checkpoint.add(leased));
    assertThatIllegalStateException().isThrownBy(() -> checkpoint.addHost(1));
    requireContent(checkpoint);
    assertThat(checkpoint.in(leased)).extracting(PlacedChunk::chunk).containsExactly(4, 5, 6);
    assertThat(host.pending() + device.pending() + peerDevice.pending()).isZero();
  }

  private static void complete7(CachedCheckpoint checkpoint) {
    checkpoint.complete(
        List.of(new RegionImage("r", 8 * CHUNK_BYTES, CHUNK_BYTES, new int[8])),
        Ancestry.NONE,
        Fingerprint.NONE);
  }

  @Test
  void placesGoBackToThoseTheyBelongToWhenTheLastPinIsClosed() throws Exception {
    CachedCheckpoint checkpoint = cache.reservePart(id(1), 0, 8);
    checkpoint.add(borrow(2));
    checkpoint.add(borrow(1));
    checkpoint.addHost(1);
    complete(checkpoint);
    Pin pin = checkpoint.pin().orElseThrow();
    checkpoint.discard();
    assertThat(givenBack).hasValue(0);
    assertThat(cache.freeSlots()).isZero();
    pin.close();
    assertThat(givenBack).hasValue(2);
    assertThat(cache.freeSlots()).isEqualTo(4);
    assertThat(cache.freeHostSlots()).isEqualTo(3);
    checkpoint.discard();
    assertThat(givenBack).hasValue(2);
  }

  @Test
  void evictionGivesLoansBackToo() throws Exception {
    CachedCheckpoint first = cache.reservePart(id(1), 0, 5);
    first.add(borrow(1));
    complete(first);
    assertThat(cache.reservePart(id(2), 0, 1).placed()).isEqualTo(1);
    assertThat(givenBack).hasValue(1);
    assertThat(cache.find(id(1), 0)).isEmpty();
  }

  @Test
  void hostMemoryIsMadeRoomInByOlderCheckpointsThatLieThere() throws Exception {
    CachedCheckpoint small = cache.reservePart(id(1), 0, 1);
    complete(small);
    CachedCheckpoint first = cache.reservePart(id(2), 0, 5);
    assertThat(first.addHost(1)).as("the small one has left its slot").isEqualTo(1);
    complete(first);
    first.discard();
    CachedCheckpoint atHost = cache.reservePart(id(3), 0, 6);
    assertThat(atHost.addHost(2)).isEqualTo(2);
    complete(atHost);
    Pin pin = atHost.pin().orElseThrow();
    CachedCheckpoint next = cache.reservePart(id(4), 0, 3);
    assertThat(next.placed()).as("all else is pinned").isZero();
    assertThat(next.addHost(3)).isEqualTo(1);
    pin.close();
    assertThat(next.addHost(2)).as("the pinned one goes").isEqualTo(2);
    assertThat(cache.find(id(3), 0)).isEmpty();
    complete(next);
    requireContent(next);
  }

  @Test
  void whatALenderWantsBackMovesToHostMemory() throws Exception {
    CachedCheckpoint checkpoint = cache.reservePart(id(1), 0, 8);
    LeasedPlaces three = borrow(3);
    LeasedPlaces one = borrow(1);
    checkpoint.add(three);
    checkpoint.add(one);
    assertThatIllegalStateException().isThrownBy(() -> checkpoint.moveToHost(three, staging));
    complete(checkpoint);
    assertThat(checkpoint.moveToHost(three, staging)).isTrue();
    assertThat(givenBack).hasValue(1);
    assertThat(checkpoint.in(three)).isEmpty();
    assertThat(checkpoint.moveToHost(three, staging)).as("again").isTrue();
    assertThat(checkpoint.moveToHost(one, staging)).as("no room is left").isFalse();
    assertThat(givenBack).hasValue(1);
    assertThat(checkpoint.in(one)).hasSize(1);
    requireContent(checkpoint);
    checkpoint.discard();
    assertThat(givenBack).hasValue(2);
    assertThat(checkpoint.moveToHost(one, staging)).as("it is gone").isTrue();
  }

  @Test
  void aMoveWaitsForNobodyButTheLoanGoesBackAfterItsReaders() throws Exception {
    CachedCheckpoint checkpoint = cache.reservePart(id(1), 0, 5);
    LeasedPlaces leased = borrow(1);
    checkpoint.add(leased);
    complete(checkpoint);
    Pin pin = checkpoint.pin().orElseThrow();
    Part read = checkpoint.beginRead(4);
    assertThat(checkpoint.moveToHost(leased, staging)).isTrue();
    assertThat(givenBack).hasValue(0);
    checkpoint.endRead(read);
    assertThat(givenBack).hasValue(1);
    requireContent(checkpoint);
    pin.close();
  }

  @Test
  void damageAtTheLenderIsNotMoved() throws Exception {
    CachedCheckpoint checkpoint = cache.reservePart(id(1), 0, 5);
    LeasedPlaces leased = borrow(1);
    checkpoint.add(leased);
    complete(checkpoint);
    Place place = checkpoint.place(4);
    place
        .engine()
        .copyAndChecksumAsync(HostMemory.of(new byte[8]), 0, place.address().slice(0, 8))
        .await();
    assertThatIOException()
        .isThrownBy(() -> checkpoint.moveToHost(leased, staging))
        .withMessageContaining("chunk 4 of region 0");
    assertThat(cache.freeHostSlots()).isEqualTo(3);
    assertThat(givenBack).hasValue(0);
  }

  @Test
  void slotsOfAPeerThatDoNotFitTogetherAreRefused() {
    SlotExport all = peer.lentSlots().exports().get(0);
    assertThatIOException()
        .isThrownBy(() -> PeerSlots.open(device, List.of(all), CHUNK_BYTES / 2))
        .withMessageContaining("are not 6 slots of 32");
    assertThatIOException()
        .isThrownBy(
            () ->
                PeerSlots.open(
                    device, List.of(all, new SlotExport(5, 6, all.handle())), CHUNK_BYTES))
        .withMessageContaining("6 from 5 on overlap those from 0 on");
    SlotExport beyond = new SlotExport((1 << 24) - 5, 6, all.handle());
    assertThatIOException()
        .isThrownBy(() -> PeerSlots.open(device, List.of(beyond), CHUNK_BYTES))
        .withMessageContaining("a cache has at most 16777216");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> peerSlots.lease(new int[] {6}, () -> {}))
        .withMessageContaining("slot 6");
  }

  /** Its owner gave the slots before up. */
  @Test
  void slotsOfAPeerMayHaveGaps() throws Exception {
    SlotExport all = peer.lentSlots().exports().get(0);
    try (PeerSlots some =
        PeerSlots.open(device, List.of(new SlotExport(3, 6, all.handle())), CHUNK_BYTES)) {
      assertThat(some.slots()).isEqualTo(6);
      assertThat(some.place(8).address().bytes()).isEqualTo(CHUNK_BYTES);
      for (int slot : new int[] {-1, 2, 9, Integer.MAX_VALUE}) {
        assertThatIllegalArgumentException().isThrownBy(() -> some.place(slot));
      }
    }
  }
}
