package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Region;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.capture.Snapshot;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.Pin;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.ChunkNumbers;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.MappedBytes;
import io.cairn.core.model.ReadAhead;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pinned buffers for readers, and copies that go straight into them. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StagingBuffersTest {
  private static final int BYTES = 3 * Devices.PINNED_BYTES + 123;
  private static final int INVALID_VALUE = 1;
  private static final CheckpointId ID = new CheckpointId(new GroupId("job", "g"), 1, 5);

  @TempDir private Path directory;

  private final byte[] content = new byte[BYTES];
  private CudaDevice device;
  private DeviceAddress all;

  @BeforeEach
  void open() throws IOException {
    FakeCuda.reset();
    new Random(7).nextBytes(content);
    device = CudaDevice.open(Devices.options(directory, 1 << 20));
    all = device.allocate(content.length);
    device.copyAndChecksumAsync(HostMemory.of(content), 0, all).awaitLanding();
  }

  @AfterEach
  void close() {
    device.close();
    FakeCuda.reset();
  }

  private MappedBytes lend() {
    return device.staging(BYTES).orElseThrow();
  }

  @Test
  void aCopyIntoPinnedMemoryNeedsNoThread() throws Exception {
    try (MappedBytes lent = lend()) {
      ByteBuffer target = lent.buffer();
      long copies = FakeCuda.fakecuda_count("copies");
      FakeCuda.fakecuda_hold(1);
      CopyEvent copy = device.copyToHostAsync(all, target);
      boolean early = copy.isDone();
      FakeCuda.fakecuda_hold(0);
      while (FakeCuda.fakecuda_pending() > 0) {
        Thread.onSpinWait();
      }

      assertThat(early).isFalse();
      assertThat(target).isEqualTo(ByteBuffer.wrap(content));
      assertThat(FakeCuda.fakecuda_count("copies") - copies).isEqualTo(1);
      assertThat(FakeCuda.fakecuda_count("implicit_synchronisations")).isZero();
      copy.await();
    }
  }

  @Test
  void aCopyFillsTheBufferFromItsPositionToItsLimit() throws Exception {
    try (MappedBytes lent = lend()) {
      ByteBuffer target = lent.buffer();
      target.put(0, new byte[BYTES]);
      target.position(7).limit(BYTES - 9);
      device.copyToHostAsync(all.slice(0, BYTES - 16), target).await();

      assertThat(target).isEqualTo(ByteBuffer.wrap(content, 0, BYTES - 16));
      assertThat(target.get(6)).isZero();
      assertThat(target.clear().slice(BYTES - 9, 9)).isEqualTo(ByteBuffer.wrap(new byte[9]));
    }
  }

  @Test
  void aRefusedCopyFailsAlone() throws Exception {
    try (MappedBytes lent = lend()) {
      FakeCuda.fakecuda_fail("cuMemcpyDtoHAsync_v2", 1, INVALID_VALUE, 0);
      CopyEvent refused = device.copyToHostAsync(all, lent.buffer());

      assertThat(refused.isDone()).isTrue();
      assertThatIOException()
          .isThrownBy(refused::await)
          .withMessageContaining("cuMemcpyDtoHAsync failed");
      device.copyToHostAsync(all, lent.buffer()).await();
      assertThat(lent.buffer()).isEqualTo(ByteBuffer.wrap(content));
    }
  }

  @Test
  void otherMemoryIsFilledThroughPinnedBuffers() throws Exception {
    ByteBuffer target = ByteBuffer.allocateDirect(BYTES);
    device.copyToHostAsync(all, target).await();

    assertThat(target).isEqualTo(ByteBuffer.wrap(content));
    assertThat(FakeCuda.fakecuda_count("implicit_synchronisations")).isZero();
  }

  @Test
  void aBufferServesOneReaderAfterTheOther() {
    MappedBytes first = lend();
    first.buffer().putInt(0, 42);
    first.close();
    try (MappedBytes next = lend()) {
      assertThat(next.buffer().getInt(0)).isEqualTo(42);
      first.close(); // again
      try (MappedBytes other = lend()) {
        other.buffer().putInt(0, 43);
        assertThat(next.buffer().getInt(0)).isEqualTo(42);
      }
    }
  }

  @Test
  void fewAreLentAtOnce() {
    List<MappedBytes> lent = new ArrayList<>();
    for (Optional<MappedBytes> more = device.staging(8); more.isPresent(); ) {
      lent.add(more.get());
      more = device.staging(8);
    }
    assertThat(lent).hasSize(8);
    lent.forEach(MappedBytes::close);
    device.staging(8).orElseThrow().close();
  }

  /** Otherwise no reader of long chunks would have one after readers of short ones. */
  @Test
  void aLongerBufferTakesThePlaceOfAShortOne() {
    for (int bytes : new int[] {8, BYTES}) {
      List<MappedBytes> lent = new ArrayList<>();
      for (int number = 0; number < 8; number++) {
        lent.add(device.staging(bytes).orElseThrow());
      }
      assertThat(device.staging(bytes)).isEmpty();
      assertThat(lent).allMatch(each -> each.buffer().capacity() == bytes);
      lent.forEach(MappedBytes::close);
    }
  }

  @Test
  void aMachineThatPinsNoMemoryLendsNone() throws Exception {
    FakeCuda.fakecuda_fail("cuMemHostAlloc", 1, 2, 0);
    assertThat(device.staging(BYTES)).isEmpty();
    lend().close();
  }

  /** As a flush reads a checkpoint: one copy for each chunk, however long. */
  @Test
  void chunksOfACheckpointGoStraightToTheirReader() throws Exception {
    int chunkBytes = 2 * Devices.PINNED_BYTES;
    try (ChunkCache cache = new ChunkCache(device, 10L * chunkBytes, chunkBytes)) {
      ProtectedRegions regions = new ProtectedRegions(device, chunkBytes);
      regions.protect(Region.of("state", content));
      Snapshot snapshot = regions.snapshot();
      CachedCheckpoint checkpoint = cache.reserve(ID, 0, snapshot.chunks()).orElseThrow();
      List<RegionImage> images = snapshot.copyInto(checkpoint).await();
      checkpoint.complete(images, Ancestry.NONE, Fingerprint.NONE);
      long copies = FakeCuda.fakecuda_count("copies");
      ByteBuffer found = ByteBuffer.allocate(BYTES);
      try (Pin pin = checkpoint.pin().orElseThrow()) {
        new ReadAhead(ByteBuffer.allocateDirect(chunkBytes))
            .forEach(
                new ChunkNumbers(images),
                pin.reader(),
                (number, reading, bytes) -> {
                  reading.await();
                  found.put(bytes.flip());
                });
      }
      assertThat(found.flip()).isEqualTo(ByteBuffer.wrap(content));
      assertThat(FakeCuda.fakecuda_count("copies") - copies).isEqualTo(snapshot.chunks());
    }
  }

  @Test
  void aReaderKeepsItsBufferBeyondTheEndOfTheDevice() throws Exception {
    MappedBytes lent = lend();
    FakeCuda.fakecuda_hold(1);
    CopyEvent copy = device.copyToHostAsync(all, lent.buffer());
    Thread closing = new Thread(device::close);
    closing.start();
    FakeCuda.fakecuda_hold(0);
    closing.join();

    assertThat(lent.buffer()).isEqualTo(ByteBuffer.wrap(content));
    assertThat(FakeCuda.fakecuda_retained(0)).isEqualTo(1);
    lent.close();
    assertThat(FakeCuda.fakecuda_retained(0)).isZero();
    assertThat(FakeCuda.fakecuda_count("leaks")).isZero();
    assertThat(FakeCuda.freedInFlight()).isZero();
    assertThatIOException().isThrownBy(copy::await).withMessageContaining("is closed");
  }

  /** Its driver might not answer. */
  @Test
  void aDeadGpuIsNotAskedForMemory() throws Exception {
    FakeCuda.fakecuda_fail_work(1, 700);
    assertThatIOException()
        .isThrownBy(() -> device.copyToHostAsync(all, ByteBuffer.allocate(BYTES)).await());
    long retained = FakeCuda.fakecuda_retained(0);

    assertThat(device.staging(BYTES)).isEmpty();

    assertThat(FakeCuda.fakecuda_retained(0)).isEqualTo((int) retained);
  }

  @Test
  void aTargetThatCannotBeWrittenIsRefusedAtOnce() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(
              () -> device.copyToHostAsync(all, ByteBuffer.allocate(BYTES).asReadOnlyBuffer()))
          .isInstanceOf(ReadOnlyBufferException.class);
    }
    ByteBuffer found = ByteBuffer.allocate(BYTES);
    device.copyToHostAsync(all, found).await();

    assertThat(found.array()).isEqualTo(content);
  }
}
