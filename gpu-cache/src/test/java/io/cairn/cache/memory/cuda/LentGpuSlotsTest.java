package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.Place;
import io.cairn.cache.chunk.SlotExport;
import io.cairn.process.ChildProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cache on a GPU that lends its slots to the cache of another process. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LentGpuSlotsTest {
  private static final String ALL = Integer.toString(CudaBorrower.CHUNKS);

  private final Path directory;
  private final CudaDevice device;
  private final ChunkCache cache;

  LentGpuSlotsTest(@TempDir Path directory) throws IOException {
    FakeCuda.reset();
    this.directory = directory;
    device = CudaDevice.open(Devices.options(directory, CudaBorrower.LENDER_BYTES));
    cache = new ChunkCache(device, CudaBorrower.LENDER_BYTES, CudaBorrower.CHUNK_BYTES);
  }

  private ChildProcess startBorrower() throws IOException {
    int[] slots = cache.lentSlots().lend(CudaBorrower.LENT_SLOTS);
    List<SlotExport> exports = cache.lentSlots().exports();
    assertThat(exports).hasSize(1);
    assertThat(exports.get(0).slots()).isEqualTo(CudaBorrower.LENDER_SLOTS);
    return CudaBorrower.command(directory, exports.get(0), slots).start();
  }

  /** The lender sees the borrower's bytes in its own slots. */
  private void requireFilled(ChildProcess borrower) throws IOException {
    byte[] content = CudaBorrower.content();
    for (int i = 0; i < CudaBorrower.LENT_SLOTS; i++) {
      int[] chunkSlotBytes =
          Arrays.stream(borrower.await("filled ").split(" ", -1))
              .mapToInt(Integer::parseInt)
              .toArray();
      byte[] found = new byte[chunkSlotBytes[2]];
      Place place = cache.lentSlots().place(chunkSlotBytes[1]);
      place
          .engine()
          .copyToHostAsync(place.address().slice(0, found.length), ByteBuffer.wrap(found))
          .awaitLanding();
      int start = chunkSlotBytes[0] * CudaBorrower.CHUNK_BYTES;
      assertThat(found).isEqualTo(Arrays.copyOfRange(content, start, start + found.length));
    }
  }

  private static void requireAnswer(ChildProcess borrower, boolean gone) throws IOException {
    borrower.send("read");
    assertThat(borrower.await("verified ")).isEqualTo(ALL);
    assertThat(borrower.await("gone ")).isEqualTo(Boolean.toString(gone));
  }

  private void closeLender() {
    cache.close();
    device.close();
  }

  private static void requireFreed() {
    while (FakeCuda.fakecuda_retained(0) > 0) {
      Thread.onSpinWait();
    }
    assertThat(FakeCuda.fakecuda_count("freed_while_open")).isZero();
    assertThat(FakeCuda.fakecuda_count("leaks")).isZero();
  }

  @Test
  void aBorrowerReadsItsChunksAlsoAfterTheLenderHasClosed() throws Exception {
    try (ChildProcess borrower = startBorrower()) {
      requireFilled(borrower);
      requireAnswer(borrower, false);

      closeLender();

      requireAnswer(borrower, true);
      assertThat(FakeCuda.fakecuda_retained(0)).as("the lent memory").isEqualTo(1);
      borrower.endInput();
      borrower.await("closed");
      assertThat(borrower.exitStatus()).isZero();
    }
    requireFreed();
  }

  @Test
  void slotsOfAKilledBorrowerAreFreed() throws Exception {
    try (ChildProcess borrower = startBorrower()) {
      requireFilled(borrower);
      closeLender();
      assertThat(FakeCuda.fakecuda_retained(0)).as("the lent memory").isEqualTo(1);
      borrower.kill();
    }
    requireFreed();
  }
}
