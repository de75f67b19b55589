package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.cairn.ReadyAfter;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.DeviceResident;
import io.cairn.cache.memory.HostMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The end of a device while calls, copies, peers and the application still use the GPU. */
@Timeout(value = 40, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaClosingTest {
  private static final int BYTES = Devices.PINNED_BYTES;
  private static final int INVALID_VALUE = 1;
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
    return HostMemory.of(CudaResidentTest.filled(BYTES, value));
  }

  @Test
  void nothingIsFreedWhileACallRuns() throws Exception {
    CudaDevice device = openImpatient();
    DeviceAddress address = device.allocate(BYTES);
    FakeCuda.fakecuda_block("cuMemcpyHtoDAsync_v2");
    CompletableFuture<CopyEvent> call =
        CompletableFuture.supplyAsync(() -> device.copyAndChecksumAsync(source(1), 0, address));
    while (FakeCuda.fakecuda_count("blocked") == 0) {
      Thread.onSpinWait();
    }

    device.close();
    awaitTeardown();

    assertThat(FakeCuda.fakecuda_retained(0)).isEqualTo(2);
    FakeCuda.fakecuda_block("");
    call.join().await();
    assertThatIllegalStateException().isThrownBy(() -> device.allocate(1));
  }

  /** The close and its thread are patient for the same time, and either may be the first. */
  private static void awaitTeardown() throws InterruptedException {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (Teardown.isOne(thread)) {
        thread.join();
      }
    }
  }

  /** The driver frees memory when all work of the GPU has ended. */
  @Test
  void anApplicationThatNeverEndsDoesNotHoldTheClose() throws Exception {
    try (Application application = Application.open()) {
      CudaDevice device = openImpatient();
      device.copyAndChecksumAsync(source(1), 0, device.allocate(BYTES)).await();
      FakeCuda.fakecuda_hang_work(1);
      application.fill(application.allocate(BYTES), 1, BYTES, application.stream());

      device.close();

      assertThat(FakeCuda.fakecuda_pending()).isEqualTo(1);
      FakeCuda.fakecuda_hang_work(0);
      while (FakeCuda.fakecuda_retained(0) > 1) { // the application's
        Thread.onSpinWait();
      }
      assertThat(FakeCuda.fakecuda_count("leaks")).isZero();
    }
  }

  /** A thread that sends chunks through the host waits like this, and the stream may hang. */
  @Test
  void aWaitForTheApplicationHoldsNoCall() throws Exception {
    try (Application application = Application.open()) {
      CudaDevice device = openImpatient();
      long weights = application.allocate(BYTES);
      long stream = application.stream();
      var source =
          (DeviceResident)
              device.locate(application.region(weights, BYTES, new ReadyAfter.Stream(stream)));
      FakeCuda.fakecuda_hang_work(1);
      application.fill(weights, 1, BYTES, stream);
      CopyEvent work = device.workBefore(List.of(source));
      CompletableFuture<Throwable> failure = new CompletableFuture<>();
      Thread waiting = new Thread(() -> failure.complete(catchThrowable(work::awaitLanding)));
      waiting.start();
      while (waiting.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }

      device.close();

      assertThat(failure.join()).isInstanceOf(IOException.class).hasMessageContaining("is closed");
      FakeCuda.fakecuda_hang_work(0);
    }
  }

  @Test
  void aSpanThatACopyUsesIsUnmappedAfterTheCopy() throws Exception {
    CudaDevice owner = open();
    try (CudaDevice device = open()) {
      DeviceAddress there = owner.allocate(BYTES);
      DeviceMemory.Opened opened = device.open(owner.export(there));
      owner.close();
      FakeCuda.fakecuda_hold(1);
      CopyEvent copy = device.copyAndChecksumAsync(source(1), 0, opened.address());

      opened.close();

      assertThat(FakeCuda.freedInFlight()).isZero();
      FakeCuda.fakecuda_hold(0);
      copy.await();
      assertThat(FakeCuda.fakecuda_retained(0)).as("the owner's memory went").isEqualTo(2);
    }
    assertThat(FakeCuda.fakecuda_count("leaks")).isZero();
    assertThat(FakeCuda.freedInFlight()).isZero();
  }

  @Test
  void aSpanIsUnmappedAfterTheLastOfItsCopies() throws Exception {
    CudaDevice owner = open();
    try (CudaDevice device = open()) {
      DeviceMemory.Opened opened = device.open(owner.export(owner.allocate(2 * BYTES)));
      owner.close();
      FakeCuda.fakecuda_hold(1);
      CopyEvent first = device.copyAndChecksumAsync(source(1), 0, opened.address().slice(0, BYTES));
      CopyEvent second =
          device.copyAndChecksumAsync(source(2), 0, opened.address().slice(BYTES, BYTES));
      opened.close();
      FakeCuda.fakecuda_hold(0);
      first.await();
      assertThat(FakeCuda.fakecuda_retained(0)).as("still open").isEqualTo(3);
      second.await();
      second.await();
      assertThat(FakeCuda.fakecuda_retained(0)).isEqualTo(2);
      assertThat(first.checksum()).isNotEqualTo(second.checksum());
    }
  }

  /** The GPU works: other devices of this process use it. */
  @Test
  void aQuestionWhileADeviceClosesKillsNoGpu() throws Exception {
    CudaDevice device = open();
    try (CudaDevice other = open()) {
      DeviceAddress there = other.allocate(BYTES);
      FakeCuda.fakecuda_hold(1);
      CopyEvent copy = device.copyAndChecksumAsync(source(1), 0, device.allocate(BYTES));
      CompletableFuture<Void> closing = CompletableFuture.runAsync(device::close);
      // from the moment when no call begins any more
      assertThatIOException().isThrownBy(copy::await).withMessageContaining("is closed");
      boolean early = closing.isDone();
      boolean ended = copy.isDone();
      FakeCuda.fakecuda_hold(0);
      closing.join();

      assertThat(ended).as("ended, although the GPU still copies").isFalse();
      assertThat(early).as("closed while copies were held").isFalse();
      assertThat(other.isDead()).isFalse();
      other.copyAndChecksumAsync(source(2), 0, there).await();
    }
  }

  /** An end that cannot be seen is none. */
  @Test
  void copiesWhoseEndIsNotSeenKeepTheirMemory() throws Exception {
    CudaDevice device = open();
    DeviceAddress address = device.allocate(BYTES);
    FakeCuda.fakecuda_hold(1);
    CopyEvent copy = device.copyAndChecksumAsync(source(1), 0, address);
    for (int stream = 0; stream < 4; stream++) { // after one look at the application
      FakeCuda.fakecuda_fail("cuEventQuery", 2, INVALID_VALUE, 0);
    }

    Thread closing = new Thread(device::close);
    closing.start();
    while (closing.isAlive() && FakeCuda.freedInFlight() == 0) {
      Thread.onSpinWait();
    }

    assertThat(FakeCuda.freedInFlight()).isZero();
    FakeCuda.fakecuda_hold(0);
    closing.join();
    assertThatIOException().isThrownBy(copy::await).withMessageContaining("is closed");
  }

  /** Each interruption used to begin the wait anew. */
  @Test
  void interruptionsDoNotProlongAWait() throws Exception {
    CudaDevice device = openImpatient();
    DeviceAddress address = device.allocate(BYTES);
    FakeCuda.fakecuda_hang_work(1);
    CopyEvent read = device.copyToHostAsync(address, ByteBuffer.allocate(BYTES));
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    Thread reading = new Thread(() -> failure.complete(catchThrowable(read::awaitLanding)));
    reading.start();
    while (reading.isAlive()) {
      reading.interrupt();
    }
    assertThat(failure.join()).isInstanceOf(IOException.class).hasMessageContaining("did not end");
    device.close();
  }
}
