package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.cache.memory.CopyBatch;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory.Opened;
import io.cairn.cache.memory.ExportedMemory;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.threads.DaemonThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A device of several allocations of the driver, which go back to the GPU one by one. */
@Timeout(60)
class CudaSlabsTest {
  private static final int SLAB_BYTES = 1 << 12;
  private static final int LAST_BYTES = 1 << 10;

  private final CudaOptions options;
  private final CudaDevice device;

  CudaSlabsTest(@TempDir Path directory) throws IOException {
    FakeCuda.reset();
    options = Devices.options(directory, 2 * SLAB_BYTES + LAST_BYTES).inSlabsOf(SLAB_BYTES);
    device = CudaDevice.open(options);
  }

  @AfterEach
  void close() {
    device.close();
    while (FakeCuda.fakecuda_retained(0) > 0) {
      Thread.onSpinWait();
    }
    assertThat(FakeCuda.fakecuda_count("leaks")).isZero();
    assertThat(FakeCuda.fakecuda_count("freed_while_open")).isZero();
    assertThat(FakeCuda.freedInFlight()).isZero();
  }

  private static byte[] filled(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private DeviceAddress write(int bytes, int value) throws Exception {
    DeviceAddress address = device.allocate(bytes);
    device.copyAndChecksumAsync(HostMemory.of(filled(bytes, value)), 0, address).await();
    return address;
  }

  private static byte[] read(CudaDevice from, DeviceAddress address) throws Exception {
    ByteBuffer found = ByteBuffer.allocate((int) address.bytes());
    from.copyToHostAsync(address, found).await();
    return found.array();
  }

  private long freeOnGpu() throws IOException {
    return device.bytesForOthers().orElseThrow();
  }

  @Test
  void allocationsLieInOneSlabEach() throws Exception {
    assertThat(device.largestAllocation()).isEqualTo(SLAB_BYTES);
    assertThatIOException()
        .isThrownBy(() -> device.allocate(SLAB_BYTES + 8))
        .withMessageContaining("no room for");
    DeviceAddress one = write(SLAB_BYTES - 8, 1);
    DeviceAddress two = write(SLAB_BYTES, 2);
    DeviceAddress three = write(LAST_BYTES, 3);

    assertThat(read(device, one)).containsOnly(1);
    assertThat(read(device, two)).containsOnly(2);
    assertThat(read(device, three)).containsOnly(3);
  }

  /** Their offsets follow each other, their addresses on the GPU do not. */
  @Test
  void aBatchOverTwoSlabsGoesToBoth() throws Exception {
    DeviceAddress one = device.allocate(SLAB_BYTES);
    DeviceAddress two = device.allocate(SLAB_BYTES);
    assertThat(two.offset()).isEqualTo(one.offset() + SLAB_BYTES);
    byte[] content = new byte[2 * SLAB_BYTES];
    new Random(3).nextBytes(content);
    HostMemory source = HostMemory.of(content);
    int chunkBytes = SLAB_BYTES / 4;
    CopyBatch batch = new CopyBatch(8);
    for (int chunk = 0; chunk < 8; chunk++) {
      DeviceAddress slab = chunk < 4 ? one : two;
      batch.add(
          source, (long) chunk * chunkBytes, slab.slice(chunk % 4 * (long) chunkBytes, chunkBytes));
    }

    CopyEvent event = device.copyAndChecksumAsync(batch);
    event.await();

    assertThat(read(device, one)).isEqualTo(Arrays.copyOf(content, SLAB_BYTES));
    assertThat(read(device, two))
        .isEqualTo(Arrays.copyOfRange(content, SLAB_BYTES, content.length));
    for (int chunk = 0; chunk < 8; chunk++) {
      CRC32C crc = new CRC32C();
      crc.update(content, chunk * chunkBytes, chunkBytes);
      assertThat(event.checksum(chunk)).as("chunk %d", chunk).isEqualTo((int) crc.getValue());
    }
  }

  @Test
  void aSlabThatIsGivenUpGoesBackToTheGpu() throws Exception {
    DeviceAddress one = write(SLAB_BYTES, 1);
    DeviceAddress two = write(SLAB_BYTES, 2);
    long free = freeOnGpu();

    FakeCuda.fakecuda_block("cuMemFree_v2");
    device.giveUp(one);
    while (FakeCuda.fakecuda_count("blocked") == 0) {
      Thread.onSpinWait();
    }

    assertThat(freeOnGpu()).as("also while it is on its way").isEqualTo(free + SLAB_BYTES);
    FakeCuda.fakecuda_block("");
    while (FakeCuda.fakecuda_retained(0) > 3) {
      Thread.onSpinWait();
    }
    assertThat(freeOnGpu()).isEqualTo(free + SLAB_BYTES);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> device.copyToHostAsync(one, ByteBuffer.allocate(SLAB_BYTES)))
        .withMessageContaining("given up");
    assertThatIllegalArgumentException().isThrownBy(() -> device.giveUp(one));
    assertThat(device.equal(one, two)).as("a reader without a pin").isEmpty();
    assertThat(read(device, two)).containsOnly(2);
    assertThatIOException().isThrownBy(() -> device.allocate(SLAB_BYTES));
  }

  @Test
  void aPartOfASlabIsFreedForThisDeviceAlone() throws Exception {
    DeviceAddress half = write(SLAB_BYTES / 2, 1);
    long free = freeOnGpu();

    device.giveUp(half);

    assertThat(freeOnGpu()).isEqualTo(free);
    device.free(device.allocate(SLAB_BYTES));
    assertThatIllegalArgumentException().isThrownBy(() -> device.giveUp(half));
  }

  @Test
  void openedMemoryIsFreedWhenItsLastUserHasClosedIt() throws Exception {
    DeviceAddress one = write(SLAB_BYTES, 1);
    ExportedMemory handle = device.export(one);
    try (CudaDevice other = CudaDevice.open(options)) {
      Opened opened = other.open(handle);
      Opened kept = other.open(device.export(write(SLAB_BYTES, 2)));
      assertThat(opened.isGivenUp()).isFalse();

      device.giveUp(one);

      assertThat(opened.isGivenUp()).isTrue();
      assertThat(opened.ownerIsGone()).as("its owner lives").isFalse();
      assertThat(kept.isGivenUp()).isFalse();
      assertThat(read(other, opened.address())).as("it is still there").containsOnly(1);
      assertThatIOException().isThrownBy(() -> other.open(handle));
      opened.close();
      assertThat(read(other, kept.address())).containsOnly(2);
      kept.close();
    }
  }

  @Test
  void aSlabThatLeavesDuringAComparisonIsNotCompared() throws Exception {
    DeviceAddress own = write(SLAB_BYTES, 1);
    try (CudaDevice other = CudaDevice.open(options);
        Opened opened = device.open(other.export(other.allocate(SLAB_BYTES)))) {
      FutureTask<Optional<Boolean>> comparison =
          new FutureTask<>(() -> device.equal(opened.address(), own));
      Thread reader = DaemonThreads.unstarted("reader", comparison);
      synchronized (opened) { // as a copy does that begins or ends
        reader.start();
        while (reader.getState() != Thread.State.BLOCKED) {
          Thread.onSpinWait();
        }
        device.giveUp(own);
      }

      assertThat(comparison.get()).isEmpty();
    }
  }

  @Test
  void slabsOfOddLengthsAreRefused() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> options.inSlabsOf(12))
        .withMessageContaining("multiple of 8");
    assertThatIllegalArgumentException().isThrownBy(() -> options.inSlabsOf(0));
  }
}
