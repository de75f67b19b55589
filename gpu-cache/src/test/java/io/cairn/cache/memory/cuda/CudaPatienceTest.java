package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.ReadyAfter;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceResident;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Work of the application that takes longer than a GPU may take for Cairn's own. */
@Timeout(40)
class CudaPatienceTest {
  private static final int BYTES = 2 * Devices.PINNED_BYTES;
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  @TempDir private Path directory;
  private Application application;
  private CudaDevice device;
  private long weights;
  private long stream;

  @BeforeEach
  void open() throws Exception {
    FakeCuda.reset();
    application = Application.open();
    device = CudaDevice.open(Devices.options(directory, 1 << 20, PATIENCE));
    weights = application.allocate(BYTES);
    stream = application.stream();
  }

  @AfterEach
  void close() throws Exception {
    FakeCuda.fakecuda_hang_work(0);
    device.close();
    application.close();
    FakeCuda.reset();
  }

  private DeviceResident resident() {
    return (DeviceResident)
        device.locate(application.region(weights, BYTES, new ReadyAfter.Stream(stream)));
  }

  private static void keepsWaiting(CompletableFuture<?> waiting) {
    assertThatThrownBy(() -> waiting.get(2 * PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
  }

  /** Both ways to wait for a copy. */
  private static void await(CopyEvent copy, boolean interruptibly) throws IOException {
    try {
      if (interruptibly) {
        copy.await();
      } else {
        copy.awaitLanding();
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCaptureWaitsForTheApplication(boolean interruptibly) throws Exception {
    DeviceAddress address = device.allocate(BYTES);
    FakeCuda.fakecuda_hang_work(1);
    application.fill(weights, 6, BYTES, stream);
    CopyEvent copy = device.copyAndChecksumAsync(resident(), 0, address);
    CompletableFuture<Void> waiting =
        CompletableFuture.runAsync(() -> Devices.unchecked(() -> await(copy, interruptibly)));
    keepsWaiting(waiting);

    FakeCuda.fakecuda_hang_work(0);
    waiting.get();

    byte[] found = new byte[BYTES];
    device.copyToHostAsync(address, ByteBuffer.wrap(found)).await();
    assertThat(found).containsOnly(6);
  }

  @Test
  void aRestoreWaitsForTheApplication() throws Exception {
    ByteBuffer source = ByteBuffer.wrap(CudaResidentTest.filled(BYTES, 3));
    FakeCuda.fakecuda_hang_work(1);
    application.fill(weights, 6, BYTES, stream);
    DeviceResident target = resident();
    CompletableFuture<Void> waiting =
        CompletableFuture.runAsync(
            () ->
                Devices.unchecked(
                    () -> device.copyToResidentAsync(source, target, 0).awaitLanding()));
    keepsWaiting(waiting);

    FakeCuda.fakecuda_hang_work(0);
    waiting.get();

    assertThat(application.read(weights, BYTES)).containsOnly(3);
  }

  @Test
  void aFailedRestoreEndsWhenNothingCanLand() throws Exception {
    ByteBuffer source = ByteBuffer.wrap(CudaResidentTest.filled(2 * BYTES, 3));
    weights = application.allocate(2 * BYTES);
    DeviceResident target =
        (DeviceResident)
            device.locate(application.region(weights, 2 * BYTES, new ReadyAfter.Nothing()));
    FakeCuda.fakecuda_hang_work(1);

    CopyEvent copy = device.copyToResidentAsync(source, target, 0);

    assertThatIOException().isThrownBy(copy::await).withMessageContaining("did not end within");
    assertThat(copy.isDone()).isFalse();
    FakeCuda.fakecuda_hang_work(0);
    while (!copy.isDone()) {
      Thread.onSpinWait();
    }
    assertThatIOException().isThrownBy(copy::await).withMessageContaining("did not end within");
    assertThat(FakeCuda.fakecuda_pending()).isZero();
  }

  /** Ranks of one process share the device, and one may wait for a process that has died. */
  @Test
  void aRestoreDoesNotWaitForTheWorkOfAnotherRank() throws Exception {
    ByteBuffer source = ByteBuffer.wrap(CudaResidentTest.filled(BYTES, 3));
    DeviceResident target = resident();
    long others = application.allocate(BYTES);
    long stuck = application.stream();
    var ofOthers =
        (DeviceResident)
            device.locate(application.region(others, BYTES, new ReadyAfter.Stream(stuck)));
    DeviceAddress address = device.allocate(BYTES);
    FakeCuda.fakecuda_block("cuMemcpyHtoDAsync_v2");
    CompletableFuture<Void> restore =
        CompletableFuture.runAsync(
            () ->
                Devices.unchecked(
                    () -> device.copyToResidentAsync(source, target, 0).awaitLanding()));
    while (FakeCuda.fakecuda_count("blocked") == 0) {
      Thread.onSpinWait();
    }
    FakeCuda.fakecuda_hang_work(1);
    application.fill(others, 6, BYTES, stuck);
    CopyEvent capture = device.copyAndChecksumAsync(ofOthers, 0, address);

    FakeCuda.fakecuda_block("");
    restore.get();

    assertThat(capture.isDone()).isFalse();
    FakeCuda.fakecuda_hang_work(0);
    capture.awaitLanding();
    assertThat(application.read(weights, BYTES)).containsOnly(3);
  }

  /** The capture of another rank was ordered before, and waits for a process that has died. */
  @Test
  void aRestoreAsksForItsOwnWorkAlone() throws Exception {
    ByteBuffer source = ByteBuffer.wrap(CudaResidentTest.filled(BYTES, 3));
    long others = application.allocate(BYTES);
    long stuck = application.stream();
    var ofOthers =
        (DeviceResident)
            device.locate(application.region(others, BYTES, new ReadyAfter.Stream(stuck)));
    FakeCuda.fakecuda_hang_work(1);
    application.fill(others, 6, BYTES, stuck);
    CopyEvent capture = device.copyAndChecksumAsync(ofOthers, 0, device.allocate(BYTES));

    restore(source, new ReadyAfter.Stream(stream));
    restore(source, new ReadyAfter.Event(application.record(stream)));
    restore(source, new ReadyAfter.Nothing());

    assertThat(capture.isDone()).isFalse();
    FakeCuda.fakecuda_hang_work(0);
    capture.awaitLanding();
    assertThat(application.read(weights, BYTES)).containsOnly(3);
  }

  /** Two ranks of one process: the one whose work hangs may wait for the other to go on. */
  @Test
  void theNamedWorkOfARankWaitsForNoOtherRank() throws Exception {
    long others = application.allocate(BYTES);
    long stuck = application.stream();
    var ofOthers =
        (DeviceResident)
            device.locate(application.region(others, BYTES, new ReadyAfter.Stream(stuck)));
    FakeCuda.fakecuda_hang_work(1);
    application.fill(others, 6, BYTES, stuck);
    CopyEvent named = device.workBefore(List.of(ofOthers));

    device.workBefore(List.of(resident())).await();

    assertThat(named.isDone()).isFalse();
    FakeCuda.fakecuda_hang_work(0);
    named.await();
  }

  private void restore(ByteBuffer source, ReadyAfter own) throws IOException {
    var target = (DeviceResident) device.locate(application.region(weights, BYTES, own));
    device.copyToResidentAsync(source, target, 0).awaitLanding();
  }
}
