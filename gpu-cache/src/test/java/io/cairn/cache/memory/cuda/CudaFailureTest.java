package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.ReadyAfter;
import io.cairn.cache.memory.CaptureSource;
import io.cairn.cache.memory.CopyBatch;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceResident;
import io.cairn.cache.memory.HostMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls that fail, and a GPU that breaks or hangs: copies fail with the cause, and nothing waits.
 */
@Timeout(value = 40, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaFailureTest {
  private static final int BYTES = 3 * Devices.PINNED_BYTES;
  private static final int INVALID_VALUE = 1;
  private static final int ILLEGAL_ADDRESS = 700;
  private static final Duration SHORT = Duration.ofMillis(300);

  @TempDir private Path directory;

  @BeforeEach
  @AfterEach
  void resetDriver() {
    FakeCuda.reset();
  }

  private CudaDevice open() throws IOException {
    return CudaDevice.open(Devices.options(directory, 1 << 20));
  }

  private CudaDevice openImpatient() throws IOException {
    return CudaDevice.open(Devices.options(directory, 1 << 20, SHORT));
  }

  private static HostMemory source(int value) {
    byte[] bytes = new byte[BYTES];
    Arrays.fill(bytes, (byte) value);
    return HostMemory.of(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cuDeviceGet",
        "cuDeviceGetName",
        "cuDeviceGetUuid_v2",
        "cuDevicePrimaryCtxRetain",
        "cuCtxPushCurrent_v2",
        "cuMemAlloc_v2",
        "cuMemHostAlloc",
        "cuStreamCreate",
        "cuEventCreate"
      })
  void anOpeningThatFailsLeavesNothing(String call) throws Exception {
    int failed = 0;
    for (int nth = 1; nth <= 12; nth++) {
      FakeCuda.reset();
      FakeCuda.fakecuda_fail(call, nth, INVALID_VALUE, 0);
      try (CudaDevice device = open()) {
        assertThat(device.describe()).isEqualTo("cuda:0 (Fake GPU 0)");
      } catch (IOException e) {
        failed++;
        assertThat(e).hasMessageContaining("CUDA_ERROR_INVALID_VALUE (1), invalid argument");
        assertThat(e).hasMessageContaining(call.replace("_v2", "").replace("Uuid", "Uuid"));
        assertThat(FakeCuda.fakecuda_retained(0)).as("contexts, call %d", nth).isZero();
        assertThat(FakeCuda.fakecuda_count("leaks")).as("leaks, call %d", nth).isZero();
        assertThat(FakeCuda.fakecuda_depth()).isZero();
      }
    }
    assertThat(failed).isPositive();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aCopyThatIsRefusedFailsAlone(int nth) throws Exception {
    try (CudaDevice device = open()) {
      DeviceAddress address = device.allocate(BYTES);
      FakeCuda.fakecuda_fail("cuMemcpyHtoDAsync_v2", nth, INVALID_VALUE, 0);

      CopyEvent refused = device.copyAndChecksumAsync(source(1), 0, address);

      assertThat(refused.isDone()).isTrue();
      assertThat(FakeCuda.fakecuda_pending()).isZero();
      assertThatIOException()
          .isThrownBy(refused::await)
          .withMessageContaining("cuMemcpyHtoDAsync failed: CUDA_ERROR_INVALID_VALUE (1)");
      assertThatIllegalStateException().isThrownBy(refused::checksum);
      for (int again = 0; again < 5; again++) {
        device.copyAndChecksumAsync(source(again), 0, address).await();
        assertThat(read(device, address)).containsOnly(again);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aCopyToTheHostThatIsRefusedFailsAlone(int nth) throws Exception {
    try (CudaDevice device = open()) {
      DeviceAddress address = device.allocate(BYTES);
      device.copyAndChecksumAsync(source(1), 0, address).await();
      for (int refusal = 0; refusal < 3; refusal++) {
        FakeCuda.fakecuda_fail("cuMemcpyDtoHAsync_v2", nth, INVALID_VALUE, 0);
        CopyEvent refused = device.copyToHostAsync(address, ByteBuffer.allocate(BYTES));
        assertThatIOException()
            .isThrownBy(refused::await)
            .withMessageContaining("cuMemcpyDtoHAsync failed");
      }
      for (int again = 0; again < 5; again++) {
        assertThat(read(device, address)).containsOnly(1);
      }
    }
  }

  private static byte[] read(CudaDevice device, DeviceAddress address) throws Exception {
    byte[] found = new byte[(int) address.bytes()];
    device.copyToHostAsync(address, ByteBuffer.wrap(found)).await();
    return found;
  }

  /** Nothing is taken for good: tables and events serve the next launch. */
  @ParameterizedTest
  @CsvSource({
    "cuMemsetD8Async, 1",
    "cuLaunchKernel, 1",
    "cuLaunchKernel, 2",
    "cuMemcpyDtoHAsync_v2, 1",
    "cuEventRecord, 1",
    "cuStreamWaitEvent, 1",
    "cuStreamWaitEvent, 2",
    "cuStreamWaitEvent, 4"
  })
  void aLaunchThatIsRefusedGivesBackWhatItUsed(String call, int nth) throws Exception {
    try (Application application = Application.open();
        CudaDevice device = open()) {
      long weights = application.allocate(BYTES);
      ReadyAfter after = new ReadyAfter.Stream(application.stream());
      CaptureSource source = device.locate(application.region(weights, BYTES, after));
      DeviceAddress address = device.allocate(BYTES);
      device.copyAndChecksumAsync(source, 0, address).await();
      long alive = 0;
      for (int refusal = 0; refusal < 4; refusal++) {
        FakeCuda.fakecuda_fail(call, nth, INVALID_VALUE, 0);
        assertThatIOException()
            .isThrownBy(device.copyAndChecksumAsync(source, 0, address)::await)
            .withMessageContaining(call.replace("_v2", "") + " failed");
        if (refusal == 0) {
          alive = FakeCuda.fakecuda_count("alive"); // to see the end of all takes one event more
        }
      }
      device.copyAndChecksumAsync(source, 0, address).await();
      assertThat(FakeCuda.fakecuda_count("alive")).isEqualTo(alive);
    }
  }

  @Test
  void aComparisonThatIsRefusedGivesBackWhatItUsed() throws Exception {
    try (CudaDevice device = open()) {
      DeviceAddress one = device.allocate(8);
      DeviceAddress other = device.allocate(8);
      long alive = 0;
      for (int refusal = 0; refusal < 4; refusal++) {
        FakeCuda.fakecuda_fail("cuLaunchKernel", 2, INVALID_VALUE, 0);
        assertThatIOException().isThrownBy(() -> device.equal(one, other));
        alive = refusal == 0 ? FakeCuda.fakecuda_count("alive") : alive;
      }
      assertThat(device.equal(one, other)).isPresent();
      assertThat(FakeCuda.fakecuda_count("alive")).isEqualTo(alive);
    }
  }

  @Test
  void aCopyWhoseEndCannotBeSeenEndsTheDevice() throws Exception {
    try (CudaDevice device = open()) {
      DeviceAddress address = device.allocate(BYTES);
      FakeCuda.fakecuda_fail("cuEventRecord", 2, INVALID_VALUE, 0);

      CopyEvent lost = device.copyAndChecksumAsync(source(1), 0, address);

      assertThatIOException().isThrownBy(lost::await).withMessageContaining("cuEventRecord failed");
      isDead(device, address, "cuEventRecord failed");
    }
  }

  @Test
  void workThatFailsOnTheGpuEndsEveryDeviceThere() throws Exception {
    try (CudaDevice device = open();
        CudaDevice neighbour = open()) {
      DeviceAddress address = device.allocate(BYTES);
      DeviceAddress there = neighbour.allocate(BYTES);
      FakeCuda.fakecuda_hold(1); // so that the question about its end alone meets the failure
      FakeCuda.fakecuda_fail_work(1, ILLEGAL_ADDRESS);

      CopyEvent broken = device.copyAndChecksumAsync(source(1), 0, address.slice(0, 8));
      FakeCuda.fakecuda_hold(0);

      assertThatIOException()
          .isThrownBy(broken::await)
          .withMessageContaining("CUDA_ERROR_ILLEGAL_ADDRESS (700), an illegal memory access")
          .withMessageContaining("only a new process can use this GPU");
      assertThat(broken.isDone()).isTrue();
      assertThatIllegalStateException().isThrownBy(broken::checksum);
      isDead(device, address, "CUDA_ERROR_ILLEGAL_ADDRESS");
      isDead(neighbour, there, "CUDA_ERROR_ILLEGAL_ADDRESS");
    }
    assertThat(FakeCuda.fakecuda_depth()).isZero();
  }

  @Test
  void aCopyThatFailsAfterItsStartDoesNotLand() throws Exception {
    try (CudaDevice device = open()) {
      DeviceAddress address = device.allocate(BYTES);
      FakeCuda.fakecuda_hold(1);
      FakeCuda.fakecuda_fail_work(1, ILLEGAL_ADDRESS);
      CopyEvent broken = device.copyAndChecksumAsync(source(1), 0, address.slice(0, 8));
      boolean early = broken.isDone();
      FakeCuda.fakecuda_hold(0);

      assertThatIOException()
          .isThrownBy(broken::await)
          .withMessageContaining("CUDA_ERROR_ILLEGAL_ADDRESS");
      assertThat(early).isFalse();
      assertThat(broken.isDone()).isTrue();
      assertThatIllegalStateException().isThrownBy(broken::checksum);
    }
  }

  private static void isDead(CudaDevice device, DeviceAddress address, String cause) {
    String dead = "cuda:0 (Fake GPU 0) is dead: ";
    CopyEvent there = device.copyAndChecksumAsync(source(2), 0, address);
    CopyEvent back = device.copyToHostAsync(address, ByteBuffer.allocate(BYTES));
    for (CopyEvent copy : new CopyEvent[] {there, back}) {
      assertThat(copy.isDone()).isTrue();
      assertThatIOException()
          .isThrownBy(copy::await)
          .withMessageContaining(dead)
          .withMessageContaining(cause);
    }
  }

  @Test
  void copiesThatHangEndTheDeviceAndDoNotHoldItsClose() throws Exception {
    CudaDevice device = openImpatient();
    DeviceAddress address = device.allocate(BYTES);
    FakeCuda.fakecuda_hang_work(1);
    CopyEvent hanging = device.copyAndChecksumAsync(source(1), 0, address.slice(0, 8));
    assertThat(hanging.isDone()).isFalse();

    assertThatIOException()
        .isThrownBy(hanging::await)
        .withMessageContaining("did not end within 300 ms")
        .withMessageContaining("only a new process");
    isDead(device, address, "did not end within 300 ms");
    device.close();
    assertThat(FakeCuda.fakecuda_pending()).isPositive();
  }

  @Test
  void aBatchBehindACopyThatHangsFails() throws Exception {
    CudaDevice device = openImpatient();
    DeviceAddress address = device.allocate(BYTES);
    FakeCuda.fakecuda_hang_work(1);

    CopyEvent hanging = device.copyAndChecksumAsync(source(1), 0, address);

    assertThatIOException().isThrownBy(hanging::await).withMessageContaining("did not end within");
    isDead(device, address, "did not end within");
    device.close();
  }

  @Test
  void aReadThatHangsFails() throws Exception {
    CudaDevice device = openImpatient();
    DeviceAddress address = device.allocate(BYTES);
    FakeCuda.fakecuda_hang_work(2);

    CopyEvent hanging = device.copyToHostAsync(address, ByteBuffer.allocate(BYTES));

    assertThatIOException().isThrownBy(hanging::await).withMessageContaining("did not end within");
    isDead(device, address, "did not end within");
    device.close();
  }

  @Test
  void aGpuThatCannotExportRefusesTo() throws Exception {
    FakeCuda.fakecuda_fail("cuIpcGetMemHandle", 1, 801, 0);
    try (CudaDevice device = open()) {
      DeviceAddress address = device.allocate(8);
      assertThatThrownBy(() -> device.export(address))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("shares no memory with other processes");
    }
    assertThat(FakeCuda.fakecuda_count("leaks")).isZero();
  }

  /** The GPU may still copy, so that nothing may use the memory again. */
  @Test
  void aRefusedQuestionForTheEndEndsTheDevice() throws Exception {
    CudaDevice device = openImpatient();
    DeviceAddress address = device.allocate(BYTES);
    FakeCuda.fakecuda_hold(1);
    CopyEvent copy = device.copyAndChecksumAsync(source(1), 0, address.slice(0, 8));
    FakeCuda.fakecuda_fail("cuEventQuery", 1, 1, 0);

    assertThatIOException().isThrownBy(copy::await).withMessageContaining("cuEventQuery");
    FakeCuda.fakecuda_hold(0);

    isDead(device, address, "cuEventQuery");
    device.close();
  }

  /** An application that captures a graph has it invalidated by certain calls of any thread. */
  @Test
  void aGraphThatAnotherThreadCapturesIsLeftAlone() throws Exception {
    FakeCuda.fakecuda_capture(0, 1);
    try (CudaDevice device = open()) {
      DeviceAddress address = device.allocate(BYTES);
      device.copyAndChecksumAsync(source(1), 0, address).await();
      assertThat(read(device, address)).containsOnly(1);
      device.free(address);
      assertThat(device.isDead()).isFalse();
    }
    assertThat(FakeCuda.fakecuda_count("broken_captures")).isZero();
    assertThat(FakeCuda.fakecuda_capture_mode()).as("the mode of the application").isZero();
    assertThat(FakeCuda.fakecuda_count("leaks")).isZero();
  }

  /** The graph would take the copies, and write over other checkpoints whenever it runs. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aStreamThatCapturesAGraphIsRefused(boolean byEvent) throws Exception {
    try (Application application = Application.open();
        CudaDevice device = open()) {
      long weights = application.allocate(BYTES);
      long stream = application.stream();
      DeviceAddress address = device.allocate(BYTES);
      FakeCuda.fakecuda_capture(stream, 1);
      ReadyAfter after =
          byEvent
              ? new ReadyAfter.Event(application.record(stream))
              : new ReadyAfter.Stream(stream);
      CaptureSource source = device.locate(application.region(weights, BYTES, after));
      DeviceResident resident = (DeviceResident) source;

      CopyEvent capture = device.copyAndChecksumAsync(source, 0, address);
      CopyEvent restore = device.copyToResidentAsync(ByteBuffer.allocate(8), resident, 0);
      CopyEvent work = device.workBefore(List.of(resident));

      for (CopyEvent refused : List.of(capture, restore, work)) {
        assertThatIOException()
            .isThrownBy(refused::await)
            .withMessageContaining("a graph")
            .withMessageContaining("end the capture first");
      }
      FakeCuda.fakecuda_capture(stream, 0);
      assertThat(FakeCuda.fakecuda_count("captured_work")).isZero();
      assertThat(FakeCuda.fakecuda_count("broken_captures")).isEqualTo(byEvent ? 3 : 0);
      application.fill(weights, 7, BYTES, stream);
      device
          .copyAndChecksumAsync(
              device.locate(application.region(weights, BYTES, new ReadyAfter.Stream(stream))),
              0,
              address)
          .await();
      assertThat(read(device, address)).containsOnly(7);
    }
  }

  @Test
  void aGraphThatIsCapturedBesideACopyIsLeftAlone() throws Exception {
    try (Application application = Application.open();
        CudaDevice device = open()) {
      long weights = application.allocate(BYTES);
      long stream = application.stream();
      DeviceAddress address = device.allocate(BYTES);
      ReadyAfter after = new ReadyAfter.Stream(stream);
      CaptureSource source = device.locate(application.region(weights, BYTES, after));
      FakeCuda.fakecuda_hold(1);
      CopyEvent beside = device.copyBesideAsync(CopyBatch.of(source, 0, address));
      FakeCuda.fakecuda_capture(stream, 1);

      beside.freeSources();

      assertThat(beside.isSourceFree()).isFalse();
      FakeCuda.fakecuda_hold(0);
      beside.await();
      assertThat(beside.isSourceFree()).isTrue();
      assertThat(FakeCuda.fakecuda_count("broken_captures")).isZero();
      FakeCuda.fakecuda_capture(stream, 0);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "cuModuleLoadData, 209, compute capability 8.0",
    "cuModuleLoadData, 218, compute capability 8.0",
    "cuModuleLoadData, 222, compute capability 8.0",
    "cuModuleLoadData, 221, libnvidia-ptxjitcompiler",
    "cuModuleLoadData, 223, CUDA_DISABLE_PTX_JIT",
    "cuDevicePrimaryCtxRetain, 46, nvidia-smi -q -d COMPUTE"
  })
  void aRefusalOfTheMachineNamesTheRemedy(String call, int code, String remedy) {
    FakeCuda.fakecuda_fail(call, 1, code, 0);

    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            CudaException.class, e -> assertThat(e.isSticky()).as("lasting").isFalse())
        .hasMessageContaining(remedy)
        .hasMessageNotContaining("report it");
  }
}
