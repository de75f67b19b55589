package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Region;
import io.cairn.cache.capture.Capture;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.Pin;
import io.cairn.cache.chunk.SlotExport;
import io.cairn.cache.chunk.SpareSlots;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.Fingerprint;
import io.cairn.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cache on a GPU that gives its slabs back: two of nine slots, as a borrower expects them. */
@Timeout(60)
class ShrinkingTest {
  private static final int SLAB_SLOTS = CudaBorrower.LENDER_SLOTS;
  private static final int SLAB_BYTES = (int) CudaBorrower.LENDER_BYTES;
  private static final GroupId GROUP = new GroupId("job", "run");

  private final Path directory;
  private final CudaDevice device;
  private final ChunkCache cache;

  ShrinkingTest(@TempDir Path directory) throws IOException {
    FakeCuda.reset();
    this.directory = directory;
    device = CudaDevice.open(Devices.options(directory, 2 * SLAB_BYTES).inSlabsOf(SLAB_BYTES));
    cache = new ChunkCache(device, 2 * SLAB_BYTES, CudaBorrower.CHUNK_BYTES);
  }

  @AfterEach
  void close() {
    cache.close();
    device.close();
    while (FakeCuda.fakecuda_retained(0) > 0) {
      Thread.onSpinWait();
    }
    assertThat(FakeCuda.fakecuda_count("freed_while_open")).isZero();
    assertThat(FakeCuda.freedInFlight()).isZero();
    assertThat(FakeCuda.fakecuda_count("leaks")).isZero();
  }

  private static CheckpointId id(long iteration) {
    return new CheckpointId(GROUP, 1, iteration);
  }

  private Optional<CachedCheckpoint> capture(long iteration, int chunks) throws Exception {
    ProtectedRegions regions = new ProtectedRegions(device, CudaBorrower.CHUNK_BYTES);
    regions.protect(Region.of("weights", new byte[chunks * CudaBorrower.CHUNK_BYTES]));
    Optional<CachedCheckpoint> reserved = cache.reserve(id(iteration), 0, chunks);
    if (reserved.isPresent()) {
      Capture capture = regions.snapshot().copyInto(reserved.get());
      reserved.get().complete(capture.await(), Ancestry.NONE, Fingerprint.NONE);
    }
    return reserved;
  }

  /** A checkpoint with chunks in both slabs, more of them in the first. */
  private CachedCheckpoint captureInBoth() throws Exception {
    return capture(1, SLAB_SLOTS + 2).orElseThrow();
  }

  private void requireGone() {
    while (FakeCuda.fakecuda_retained(0) > 2) {
      Thread.onSpinWait();
    }
    assertThat(cache.shrinking().isUnderWay()).isFalse();
    assertThat(cache.slots()).isEqualTo(SLAB_SLOTS);
    assertThat(cache.lentSlots().exports()).hasSize(1);
  }

  @Test
  void anEmptySlabGoesAtOnce() throws Exception {
    CachedCheckpoint kept = capture(1, 3).orElseThrow();
    long free = device.bytesForOthers().orElseThrow();

    assertThat(cache.shrinking().begin()).isEqualTo(SLAB_SLOTS);

    requireGone();
    assertThat(device.bytesForOthers()).hasValue(free + SLAB_BYTES);
    assertThat(cache.freeSlots()).isEqualTo(SLAB_SLOTS - 3);
    assertThat(cache.lentSlots().spare()).isEqualTo(SLAB_SLOTS - 3);
    assertThat(cache.find(id(1), 0)).contains(kept);
    assertThat(cache.shrinking().begin()).as("the last one").isZero();
  }

  @Test
  void theNewestCheckpointStaysUntilALevelBelowHasIt() throws Exception {
    captureInBoth();

    assertThat(cache.shrinking().begin()).isEqualTo(SLAB_SLOTS);
    cache.sealed(id(1), Level.DEVICE);
    assertThat(cache.shrinking().vacate()).isTrue();
    assertThat(cache.find(id(1), 0)).isPresent();
    assertThat(cache.shrinking().begin()).as("one after the other").isZero();

    cache.sealed(id(1), Level.NODE);
    assertThat(cache.shrinking().vacate()).isFalse();
    assertThat(cache.find(id(1), 0)).isEmpty();
    assertThat(cache.evictions()).isEqualTo(1);
    requireGone();
  }

  @Test
  void aNewerCheckpointInAnotherSlabLetsItGo() throws Exception {
    captureInBoth();
    cache.shrinking().begin();

    assertThat(capture(2, SLAB_SLOTS - 2)).isPresent();

    assertThat(cache.shrinking().vacate()).isFalse();
    assertThat(cache.find(id(2), 0)).isPresent();
    requireGone();
  }

  @Test
  void noCaptureGetsSlotsOfTheSlabThatLeaves() throws Exception {
    CachedCheckpoint before = captureInBoth();
    cache.shrinking().begin();

    assertThat(capture(2, SLAB_SLOTS + 1)).as("more than the rest holds").isEmpty();
    assertThat(cache.find(id(1), 0)).as("evicted for nothing").contains(before);
    assertThat(capture(3, SLAB_SLOTS)).as("the old one makes room").isPresent();
    assertThat(cache.lentSlots().lend(100)).isEmpty();
    requireGone();
  }

  @Test
  void pinnedChunksAndSpareSlotsAreWaitedFor() throws Exception {
    CachedCheckpoint checkpoint = captureInBoth();
    cache.sealed(id(1), Level.STORE);
    Pin pin = checkpoint.pin().orElseThrow();
    SpareSlots spare = SpareSlots.take(cache, cache.freeSlots()).orElseThrow();
    cache.shrinking().begin();

    assertThat(cache.shrinking().vacate()).isTrue();
    pin.close();
    assertThat(cache.shrinking().vacate()).as("spare slots are in use").isTrue();
    spare.close();

    assertThat(cache.shrinking().isUnderWay()).isFalse();
    requireGone();
  }

  /** More slots are lent than the rest of the cache may lend. */
  @Test
  void aCacheThatHasLentAlmostAllLendsNoneWhenASlabLeaves() {
    int[] lent = cache.lentSlots().lend(2 * SLAB_SLOTS);
    assertThat(lent).hasSize(2 * SLAB_SLOTS - 1);
    cache.shrinking().begin();

    assertThat(cache.lentSlots().spare()).isZero();
    assertThat(cache.lentSlots().lend(0)).isEmpty();
    assertThat(cache.lentSlots().lend(5)).isEmpty();
    assertThat(cache.freeSlots()).isZero();

    cache.lentSlots().takeBack(lent);
    requireGone();
    assertThat(cache.freeSlots()).isEqualTo(SLAB_SLOTS);
  }

  /** The lender takes its slots back, and the borrower closes the memory in its own time. */
  @Test
  void lentMemoryIsFreedAfterItsBorrowerHasClosedIt() throws Exception {
    int[] slots = cache.lentSlots().lend(CudaBorrower.LENT_SLOTS);
    SpareSlots rest = SpareSlots.take(cache, SLAB_SLOTS - slots.length).orElseThrow();
    SpareSlots second = SpareSlots.take(cache, SLAB_SLOTS).orElseThrow();
    rest.close();
    SlotExport first = cache.lentSlots().exports().get(0);
    try (ChildProcess borrower = CudaBorrower.command(directory, first, slots).start()) {
      borrower.await("filled ");
      cache.shrinking().begin();
      assertThat(cache.lentSlots().leaving()).isEqualTo(slots.length);
      assertThat(cache.shrinking().vacate()).isTrue();
      borrower.send("read");
      assertThat(borrower.await("open ")).isEqualTo(Integer.toString(SLAB_SLOTS));

      cache.lentSlots().takeBack(slots);

      assertThat(cache.shrinking().isUnderWay()).isFalse();
      assertThat(FakeCuda.fakecuda_retained(0)).as("still open there").isEqualTo(3);
      borrower.send("read");
      assertThat(borrower.await("open ")).isEqualTo("0");
      while (FakeCuda.fakecuda_retained(0) > 2) {
        Thread.onSpinWait();
      }
      borrower.kill();
    }
    second.close();
  }
}
