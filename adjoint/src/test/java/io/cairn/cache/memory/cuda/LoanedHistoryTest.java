package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Region;
import io.cairn.adjoint.history.History;
import io.cairn.adjoint.history.HistoryPlaces;
import io.cairn.adjoint.history.HistorySettings;
import io.cairn.adjoint.history.MachinePeers;
import io.cairn.cache.memory.Until;
import io.cairn.core.flow.Topology;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Histories on GPUs that lend each other memory as processes do. */
@Timeout(60)
class LoanedHistoryTest {
  private static final int STATE = 8192;
  private static final Topology FAST = Topology.uniform(2, 24e9, 1);

  @TempDir Path directory;
  private final byte[] field = new byte[STATE];

  LoanedHistoryTest() {
    FakeCuda.reset();
  }

  @Test
  void aStateComesBackFromTheMemoryOfAnotherGpu() throws IOException {
    try (CudaDevice device = CudaDevice.open(Devices.options(directory, 1 << 20));
        CudaDevice other = CudaDevice.open(Devices.options(directory, 1 << 20));
        MachinePeers borrowing = MachinePeers.join(directory.resolve("peers"), FAST, 0);
        MachinePeers lending = MachinePeers.join(directory.resolve("peers"), FAST, 1);
        History borrower = open(device, borrowing, 4);
        History lender = open(other, lending, 10)) {
      lender.expect(1, STATE);
      borrower.expect(13, STATE);
      Until.holds(() -> borrowing.borrowedBytes() == 9L * STATE);

      store(borrower);

      restore(borrower);
      assertThat(borrower.stats().below().get(0).bytesDown()).isEqualTo(9L * STATE);
      assertThat(lending.lentBytes()).isEqualTo(9L * STATE);
    }
  }

  /** One copy for each state, which is longer than the buffers through which others pass. */
  @Test
  void statesGoDownStraightIntoPinnedMemory() throws IOException {
    try (CudaDevice device = CudaDevice.open(Devices.options(directory, 1 << 20));
        History history =
            History.open(
                HistoryPlaces.on(device),
                new HistorySettings(4L * STATE, 4096, directory.resolve("states"), 13L * STATE))) {
      history.expect(13, STATE);
      store(history);
      Until.holds(() -> history.stats().below().get(0).bytesDown() == 9L * STATE);

      long in = 13L * STATE / Devices.PINNED_BYTES;
      assertThat(FakeCuda.fakecuda_count("copies")).isBetween(in + 9, in + 13);
      restore(history);
    }
    assertThat(FakeCuda.fakecuda_count("leaks")).isZero();
    assertThat(FakeCuda.fakecuda_retained(0)).isZero();
  }

  private History open(CudaDevice device, MachinePeers peers, int states) throws IOException {
    Path files = directory.resolve("states-" + states);
    return History.open(
        HistoryPlaces.on(device).withPeers(peers),
        new HistorySettings((long) states * STATE, 4096, files, 0));
  }

  private void store(History history) {
    history.protect(Region.of("field", field));
    for (int step = 0; step < 13; step++) {
      Arrays.fill(field, (byte) (step + 1));
      history.store(step);
    }
  }

  private void restore(History history) {
    for (int step = 12; step >= 0; step--) {
      history.restore(step, true);
      assertThat(field).as("step %d", step).containsOnly(step + 1);
    }
  }
}
