package io.cairn.cache.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LentSlotsTest {
  private static final int CHUNK_BYTES = 64;
  private static final int SLOTS = 10;
  private static final GroupId GROUP = new GroupId("job", "own");

  private final DelayedDevice device = new DelayedDevice(SLOTS * CHUNK_BYTES, 5);
  private final List<CheckpointId> evicted = new ArrayList<>();
  private final ChunkCache cache;
  private final LentSlots lending;

  LentSlotsTest() throws IOException {
    cache = new ChunkCache(device, SLOTS * CHUNK_BYTES, CHUNK_BYTES);
    cache.onEvict(gone -> evicted.add(gone.id()));
    lending = cache.lentSlots();
  }

  @AfterEach
  void closeAll() {
    cache.close();
    device.close();
  }

  private static CheckpointId id(long iteration) {
    return new CheckpointId(GROUP, 1, iteration);
  }

  private CachedCheckpoint complete(long iteration, int rank, int chunks) {
    CachedCheckpoint one = cache.reserve(id(iteration), rank, chunks).orElseThrow();
    long bytes = (long) chunks * CHUNK_BYTES;
    one.complete(
        List.of(new RegionImage("r", bytes, CHUNK_BYTES, new int[chunks])),
        Ancestry.NONE,
        Fingerprint.NONE);
    return one;
  }

  /** A borrower that is stopped keeps its slots; a rank of this process falls back through one. */
  @Test
  void theLastSlotIsNeverLent() {
    assertThat(lending.spare()).isEqualTo(9);
    int[] first = lending.lend(4);
    assertThat(lending.spare()).isEqualTo(5);

    int[] others = lending.lend(10);

    assertThat(first).hasSize(4);
    assertThat(others).hasSize(5);
    assertThat(cache.freeSlots()).isOne();
    assertThat(lending.spare()).isZero();
  }

  /** A copy of this process may land in any slot for as long as the device does not answer. */
  @Test
  void aDeadDeviceLendsNothing() throws IOException {
    CachedCheckpoint one = cache.reserve(id(1), 0, 1).orElseThrow();
    device.hangNextCopy();
    CopyEvent copy =
        device.copyAndChecksumAsync(
            HostMemory.of(new byte[CHUNK_BYTES]), 0, one.place(0).address());
    assertThatIOException().isThrownBy(copy::await).withMessageContaining("does not answer");
    one.discard();

    assertThat(lending.spare()).isZero();
    assertThat(lending.lend(3)).isEmpty();
    device.endHang();
  }

  @Test
  void spareIsWhatIsFreeOrSupersededButNoRanksNewest() {
    complete(1, 0, 2);
    assertThat(lending.spare()).as("its rank's only one").isEqualTo(8);
    complete(1, 1, 2);
    CachedCheckpoint second = cache.reserve(id(2), 0, 2).orElseThrow();
    assertThat(lending.spare()).as("the newer one is not complete").isEqualTo(4);
    second.discard();
    CachedCheckpoint third = complete(3, 0, 2);
    assertThat(lending.spare()).as("one is superseded").isEqualTo(6);
    Pin pin = cache.find(id(1), 0).orElseThrow().pin().orElseThrow();
    assertThat(lending.spare()).as("but still owed elsewhere").isEqualTo(4);
    pin.close();
    third.discard();
    assertThat(lending.spare()).as("the newest again").isEqualTo(6);
  }

  /** The rest of the group may never seal the newer ones. */
  @Test
  void lendingSparesTheNewestThatTheWholeGroupSealed() {
    complete(1, 0, 2);
    cache.sealed(id(1), Level.NODE);
    complete(2, 0, 2);
    complete(3, 0, 2);

    int[] slots = lending.lend(10);

    assertThat(slots).hasSize(6);
    assertThat(cache.of(GROUP, 0)).extracting(CachedCheckpoint::id).containsExactly(id(3), id(1));
  }

  @Test
  void aNewerSealSupersedesTheOneBefore() {
    complete(1, 0, 2);
    cache.sealed(id(1), Level.NODE);
    complete(2, 0, 2);
    cache.sealed(id(2), Level.NODE);

    assertThat(lending.spare()).isEqualTo(8);
  }

  @Test
  void aSealedCheckpointThatIsDiscardedSupersedesNothing() {
    complete(1, 0, 2);
    cache.sealed(id(1), Level.NODE);
    CachedCheckpoint withdrawn = complete(2, 0, 2);
    cache.sealed(id(2), Level.NODE);
    complete(3, 0, 2);

    withdrawn.discard();

    assertThat(lending.spare()).isEqualTo(6);
  }

  @Test
  void lendingEvictsTheOldestThatAreSparedAndNoMoreThanItMust() {
    complete(1, 0, 2);
    complete(2, 0, 2);
    complete(1, 1, 2);
    complete(3, 0, 3);
    assertThat(lending.lend(2)).hasSize(2);
    assertThat(evicted).containsExactly(id(1));
    assertThat(lending.lend(9)).hasSize(3);
    assertThat(evicted).containsExactly(id(1), id(2));
    assertThat(lending.lend(1)).isEmpty();
    assertThat(lending.count()).isEqualTo(5);
    assertThat(lending.spare()).isZero();
    assertThat(cache.of(GROUP, 0)).extracting(CachedCheckpoint::id).containsExactly(id(3));
    assertThat(cache.of(GROUP, 1)).hasSize(1);
  }

  @Test
  void noCaptureGetsASlotThatIsLent() {
    int[] slots = lending.lend(4);
    assertThat(cache.freeSlots()).isEqualTo(6);
    assertThat(cache.reserve(id(1), 0, 7)).isEmpty();
    CachedCheckpoint part = cache.reservePart(id(1), 0, 7);
    assertThat(part.placed()).isEqualTo(6);
    for (int slot : slots) {
      Place lent = lending.place(slot);
      for (int chunk = 0; chunk < 6; chunk++) {
        assertThat(part.place(chunk)).isNotEqualTo(lent);
      }
    }
    part.discard();
    lending.takeBack(slots);
    assertThat(lending.count()).isZero();
    assertThat(cache.reserve(id(2), 0, 10)).isPresent();
  }

  @Test
  void onlyWhatIsLentIsTakenBack() {
    int[] slots = lending.lend(2);
    int other = 9;
    assertThat(slots).doesNotContain(other);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> lending.takeBack(slots[0], other))
        .withMessageContaining("slot 9 of 10 is not lent");
    assertThat(lending.count()).isEqualTo(2);
    lending.takeBack(slots);
    assertThatIllegalArgumentException().isThrownBy(() -> lending.takeBack(slots[0]));
    assertThatIllegalArgumentException().isThrownBy(() -> lending.takeBack(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> lending.takeBack(10));
    assertThatIllegalArgumentException().isThrownBy(() -> lending.place(slots[0]));
    assertThat(cache.freeSlots()).isEqualTo(10);
  }

  @Test
  void afterCloseWhatIsLentStaysAllocated() {
    int[] slots = lending.lend(3);
    cache.close();
    assertThat(lending.lend(1)).isEmpty();
    lending.takeBack(slots);
    assertThatIOException().isThrownBy(() -> device.allocate(SLOTS * CHUNK_BYTES));
  }

  @Test
  void allSlotsAreExportedInFewPieces() {
    assertThat(lending.exports())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.firstSlot()).isZero();
              assertThat(one.slots()).isEqualTo(SLOTS);
            });
  }
}
