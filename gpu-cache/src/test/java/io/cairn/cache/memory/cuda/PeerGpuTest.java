package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.cache.chunk.ChunkCache;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The ways of leased chunks between a lender on the first GPU and a borrower in another process.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerGpuTest {
  private static final long ALL_BYTES = CudaBorrower.content().length;
  private static final long LENT_BYTES = ALL_BYTES - CudaBorrower.HOME_BYTES;

  /** A word for each chunk. */
  private static final long CHECKSUM_BYTES = CudaBorrower.CHUNKS * Integer.BYTES;

  private final Path directory;
  private final CudaDevice device;
  private final ChunkCache cache;

  PeerGpuTest(@TempDir Path directory) throws IOException {
    FakeCuda.reset();
    this.directory = directory;
    device = CudaDevice.open(Devices.options(directory, CudaBorrower.LENDER_BYTES));
    cache = new ChunkCache(device, CudaBorrower.LENDER_BYTES, CudaBorrower.CHUNK_BYTES);
  }

  @AfterEach
  void close() {
    cache.close();
    device.close();
  }

  private ChildProcess startBorrower(int gpu, boolean peers) throws IOException {
    return borrower(gpu, peers).start();
  }

  private Command borrower(int gpu, boolean peers) throws IOException {
    int[] slots = cache.lentSlots().lend(CudaBorrower.LENT_SLOTS);
    return PeerBorrower.command(gpu, directory, cache.lentSlots().exports().get(0), slots, peers);
  }

  /** The bytes within a device, between devices, and through the host. */
  private static long[] moved(ChildProcess borrower, String when) throws IOException {
    return Arrays.stream(borrower.await(when).split(" ", -1)).mapToLong(Long::parseLong).toArray();
  }

  private static void requireMoved(ChildProcess borrower, long within, long between)
      throws Exception {
    assertThat(borrower.await("reached ")).isEqualTo("true");
    assertThat(moved(borrower, "captured ")).containsExactly(within, between, CHECKSUM_BYTES);
    assertThat(borrower.await("verified ")).isEqualTo(Integer.toString(CudaBorrower.CHUNKS));
    // each chunk is verified, then copied, with a word each time
    assertThat(moved(borrower, "restored ")).containsExactly(within, between, 2 * CHECKSUM_BYTES);
    assertThat(borrower.await("same ")).isEqualTo("true");
    borrower.endInput();
    borrower.await("closed");
    assertThat(borrower.exitStatus()).isZero();
  }

  @Test
  void chunksStayWithinTheGpuThatBothUse() throws Exception {
    try (ChildProcess borrower = startBorrower(0, true)) {
      requireMoved(borrower, ALL_BYTES, 0);
    }
  }

  @Test
  void chunksGoFromGpuToGpuWhereTheyReachEachOther() throws Exception {
    try (ChildProcess borrower = startBorrower(1, true)) {
      requireMoved(borrower, CudaBorrower.HOME_BYTES, LENT_BYTES);
    }
  }

  @Test
  void memoryOutOfReachIsFollowedAndNotMapped() throws Exception {
    requireFollowed(borrower(1, false));
  }

  /** Pushes still bring chunks there. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "cuDeviceCanAccessPeer:1:101",
        "cuIpcOpenMemHandle_v2:1:205",
        "cuIpcOpenMemHandle_v2:1:217",
        "cuMemGetAddressRange_v2:1:500"
      })
  void memoryThatTheDriverDoesNotMapIsFollowed(String failure) throws Exception {
    requireFollowed(borrower(1, true).environment("FAKECUDA_FAIL", failure));
  }

  /** The borrower follows the lender all the same, whose death it sees at once. */
  private void requireFollowed(Command command) throws Exception {
    try (ChildProcess borrower = command.start()) {
      assertThat(borrower.await("reached ")).isEqualTo("false");
      borrower.send("");
      assertThat(borrower.await("gone ")).isEqualTo("false");
      close();
      borrower.send("");
      assertThat(borrower.await("gone ")).isEqualTo("true");
      borrower.endInput();
      borrower.await("closed");
      assertThat(borrower.exitStatus()).isZero();
    }
  }
}
