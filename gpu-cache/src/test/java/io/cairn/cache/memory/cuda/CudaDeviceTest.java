package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.cairn.cache.memory.CopyBatch;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.GatheredSpans;
import io.cairn.cache.memory.HostMemory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Host memory and the GPU: order, pinned memory, and what remains. */
class CudaDeviceTest {
  private static final int BYTES = 3 * Devices.PINNED_BYTES + 123;
  private static final int PIECE = Devices.PINNED_BYTES;

  @TempDir private Path directory;

  @BeforeEach
  void resetDriver() {
    FakeCuda.reset();
  }

  private CudaDevice open() throws Exception {
    return CudaDevice.open(Devices.options(directory, 1 << 20));
  }

  private static byte[] bytes(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private static byte[] read(CudaDevice device, DeviceAddress address) throws Exception {
    byte[] found = new byte[(int) address.bytes()];
    device.copyToHostAsync(address, ByteBuffer.wrap(found)).await();
    return found;
  }

  @Test
  void everyCopyIsAsynchronousAndOnItsOwnStream() throws Exception {
    try (CudaDevice device = open()) {
      DeviceAddress address = device.allocate(BYTES);
      device.copyAndChecksumAsync(HostMemory.of(bytes(BYTES, 1)), 0, address).await();
      device.copyToHostAsync(address, ByteBuffer.allocateDirect(BYTES)).await();

      assertThat(FakeCuda.fakecuda_count("copies")).isEqualTo(8);
      assertThat(FakeCuda.fakecuda_count("implicit_synchronisations")).isZero();
      assertThat(FakeCuda.fakecuda_count("null_stream_copies")).isZero();
    }
  }

  @Test
  void nothingIsLeftAfterClose() throws Exception {
    FakeCuda.fakecuda_delays(2, 100);
    try (CudaDevice device = open();
        CudaDevice neighbour = open()) {
      DeviceAddress address = device.allocate(BYTES);
      device.copyAndChecksumAsync(HostMemory.of(bytes(BYTES, 1)), 0, address).await();
      assertThat(neighbour.open(device.export(address)).ownerIsGone()).isFalse();
    }
    assertThat(FakeCuda.fakecuda_retained(0)).isZero();
    assertThat(FakeCuda.fakecuda_count("leaks")).isZero();
    assertThat(FakeCuda.fakecuda_depth()).isZero();
    assertThat(FakeCuda.fakecuda_count("freed_in_flight")).isZero();
  }

  @Test
  void closingWaitsForCopiesThatNobodyAwaited() throws Exception {
    CudaDevice device = open();
    DeviceAddress address = device.allocate(PIECE);
    FakeCuda.fakecuda_hold(1);
    CopyEvent copy = device.copyAndChecksumAsync(HostMemory.of(new byte[PIECE]), 0, address);
    Thread closing = new Thread(device::close);
    closing.start();
    while (closing.isAlive() && !isTeardownWaiting() && FakeCuda.freedInFlight() == 0) {
      Thread.onSpinWait();
    }
    FakeCuda.fakecuda_hold(0);
    closing.join();

    assertThat(FakeCuda.freedInFlight()).isZero();
    assertThat(FakeCuda.fakecuda_retained(0)).isZero();
    assertThatIOException().isThrownBy(copy::await).withMessageContaining("is closed");
  }

  /** The caller of close waits at once; the thread that frees waits only for copies. */
  private static boolean isTeardownWaiting() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Teardown::isOne)
        .anyMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING);
  }

  @Test
  void theSourceMayBeWrittenOnceTheCallReturned() throws Exception {
    try (CudaDevice device = open()) {
      DeviceAddress address = device.allocate(2 * PIECE);
      byte[] source = bytes(2 * PIECE, 1);
      FakeCuda.fakecuda_hold(1);

      CopyEvent event = device.copyAndChecksumAsync(HostMemory.of(source), 0, address);
      Arrays.fill(source, (byte) 2);
      boolean free = event.isSourceFree();
      boolean done = event.isDone();
      Throwable early = catchThrowable(event::checksum);
      FakeCuda.fakecuda_hold(0);
      event.await();

      assertThat(free).isTrue();
      assertThat(done).isFalse();
      assertThat(early).isInstanceOf(IllegalStateException.class);
      assertThat(event.isDone()).isTrue();
      assertThat(read(device, address)).containsOnly(1);
    }
  }

  @Test
  void anInterruptedWaitLeavesTheCopyUnderWay() throws Exception {
    try (CudaDevice device = open()) {
      DeviceAddress address = device.allocate(PIECE);
      FakeCuda.fakecuda_hold(1);
      CopyEvent event = device.copyAndChecksumAsync(HostMemory.of(bytes(PIECE, 3)), 0, address);
      Thread.currentThread().interrupt();
      Throwable interruption = catchThrowable(event::await);
      boolean done = event.isDone();
      FakeCuda.fakecuda_hold(0);
      event.await();
      assertThat(interruption).isInstanceOf(InterruptedException.class);
      assertThat(done).isFalse();
      assertThat(read(device, address)).containsOnly(3);
    }
  }

  @Test
  void anInterruptedThreadStillCopies() throws Exception {
    FakeCuda.fakecuda_delays(4, 500);
    try (CudaDevice device = open()) {
      DeviceAddress address = device.allocate(BYTES);
      byte[] found = new byte[BYTES];
      Thread.currentThread().interrupt();
      device.copyAndChecksumAsync(HostMemory.of(bytes(BYTES, 5)), 0, address).awaitLanding();
      CopyEvent copy = device.copyToHostAsync(address, ByteBuffer.wrap(found));
      assertThat(Thread.interrupted()).isTrue();
      copy.await();
      assertThat(found).containsOnly(5);
    }
  }

  @Test
  void aBatchThatThrowsLeavesNoCopyUnderWay() throws Exception {
    FakeCuda.fakecuda_delays(6, 2000);
    try (CudaDevice device = open()) {
      DeviceAddress address = device.allocate(4 * PIECE);
      CopyBatch batch = new CopyBatch(2);
      batch.add(HostMemory.of(bytes(2 * PIECE, 1)), 0, address.slice(0, 2 * PIECE));
      batch.add(GatheredSpans.shorterThanItSays(7), 0, address.slice(2 * PIECE, 7));

      assertThatThrownBy(() -> device.copyAndChecksumAsync(batch))
          .isInstanceOf(IndexOutOfBoundsException.class);

      assertThat(FakeCuda.fakecuda_pending()).isZero();
      assertThat(read(device, address.slice(0, 2 * PIECE))).containsOnly(1);
    }
  }

  @Test
  void anOpenedSpanHasBounds() throws Exception {
    try (CudaDevice owner = open();
        CudaDevice device = open()) {
      owner.allocate(64);
      DeviceAddress all = device.open(owner.export(owner.allocate(64))).address();
      DeviceAddress beyond = new DeviceAddress(all.device(), 60, 8);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> device.copyToHostAsync(beyond, ByteBuffer.allocate(8)));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> device.copyAndChecksumAsync(HostMemory.of(new byte[8]), 0, beyond));
    }
  }

  @Test
  void memoryStaysWhileANeighbourHasItOpen() throws Exception {
    CudaDevice owner = open();
    try (CudaDevice device = open()) {
      DeviceAddress address = owner.allocate(PIECE);
      owner.copyAndChecksumAsync(HostMemory.of(bytes(PIECE, 9)), 0, address).await();
      DeviceAddress there = device.open(owner.export(address)).address();
      owner.close();
      assertThat(read(device, there)).containsOnly(9);
    }
    assertThat(FakeCuda.fakecuda_count("leaks")).isZero();
    assertThat(FakeCuda.fakecuda_retained(0)).isZero();
  }

  @Test
  void aGpuThatIsTooSmallIsNamedWithItsFreeBytes() throws Exception {
    FakeCuda.fakecuda_memory(1 << 16);
    assertThatIOException()
        .isThrownBy(this::open)
        .withMessageContaining("cuda:0 (Fake GPU 0)")
        .withMessageContaining("no room for 1048576 bytes")
        .withMessageContaining("65536 free")
        .withMessageContaining("CUDA_ERROR_OUT_OF_MEMORY (2)")
        .withMessageContaining("less of the GPU's memory");
    assertThat(FakeCuda.fakecuda_retained(0)).isZero();
    assertThat(FakeCuda.fakecuda_count("leaks")).isZero();
  }

  @Test
  void aGpuThatIsNotThereIsNamed() {
    CudaOptions options = Devices.options(directory, 64);
    CudaOptions third =
        new CudaOptions(options.library(), 2, 64, 64, options.patience(), directory);
    assertThatIOException()
        .isThrownBy(() -> CudaDevice.open(third))
        .withMessageContaining("cuDeviceGet failed: CUDA_ERROR_INVALID_DEVICE (101)")
        .withMessageContaining("nvidia-smi -L");
  }
}
