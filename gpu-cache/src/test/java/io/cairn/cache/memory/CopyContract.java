package io.cairn.cache.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cairn.DeviceName;
import io.cairn.ReadyAfter;
import io.cairn.Region;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32C;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The part of {@link DeviceMemoryContract} about copies. */
abstract class CopyContract {
  /** The capacity that {@link #open} is asked for. */
  protected static final int CAPACITY_BYTES = 1 << 20;

  DeviceMemory memory;

  /** A device with room for {@value #CAPACITY_BYTES} bytes in one piece, at most one page more. */
  protected abstract DeviceMemory open() throws IOException;

  @BeforeEach
  void openDevice() throws IOException {
    memory = open();
  }

  @AfterEach
  void closeDevice() {
    memory.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 4095, 65536, 65537, 300_001})
  void copiesAndChecksums(int length) throws Exception {
    byte[] bytes = random(length, length);
    DeviceAddress address = memory.allocate(length);
    CopyEvent event = memory.copyAndChecksumAsync(HostMemory.of(bytes), 0, address);
    event.await();
    assertThat(event.isDone()).isTrue();
    assertThat(event.checksum()).isEqualTo(crc(bytes, 0, length));
    assertThat(read(address)).isEqualTo(bytes);
  }

  @Test
  void copiesFromWithinTheSource() throws Exception {
    byte[] bytes = random(2, 10_000);
    DeviceAddress address = memory.allocate(777);
    CopyEvent event = memory.copyAndChecksumAsync(HostMemory.of(bytes), 1234, address);
    event.await();
    assertThat(event.checksum()).isEqualTo(crc(bytes, 1234, 777));
    assertThat(read(address)).isEqualTo(Arrays.copyOfRange(bytes, 1234, 1234 + 777));
  }

  @Test
  void slicesArePartsOfTheirSpan() throws Exception {
    byte[] bytes = random(3, 4096);
    DeviceAddress address = memory.allocate(4096);
    memory.copyAndChecksumAsync(HostMemory.of(bytes), 0, address).await();
    byte[] patch = random(4, 100);
    memory.copyAndChecksumAsync(HostMemory.of(patch), 0, address.slice(800, 100)).await();
    System.arraycopy(patch, 0, bytes, 800, 100);
    assertThat(read(address)).isEqualTo(bytes);
    assertThat(read(address.slice(790, 20))).isEqualTo(Arrays.copyOfRange(bytes, 790, 810));
  }

  @Test
  void copiesToAnyPartOfAHostBuffer() throws Exception {
    byte[] bytes = random(5, 64);
    DeviceAddress address = memory.allocate(64);
    memory.copyAndChecksumAsync(HostMemory.of(bytes), 0, address).await();
    for (ByteBuffer target : List.of(ByteBuffer.allocate(100), ByteBuffer.allocateDirect(100))) {
      target.position(10).limit(74);
      memory.copyToHostAsync(address, target).await();
      assertThat(target.position()).isEqualTo(10);
      byte[] all = new byte[100];
      target.clear().get(all);
      assertThat(Arrays.copyOfRange(all, 10, 74)).isEqualTo(bytes);
      assertThat(all[9]).isZero();
      assertThat(all[74]).isZero();
    }
  }

  @Test
  void spansAreComparedWhereTheyLie() throws Exception {
    byte[] bytes = random(12, 5000);
    DeviceAddress one = memory.allocate(5000);
    DeviceAddress other = memory.allocate(5000);
    memory.copyAndChecksumAsync(HostMemory.of(bytes), 0, one).await();
    bytes[4999]++;
    memory.copyAndChecksumAsync(HostMemory.of(bytes), 0, other).await();

    Optional<Boolean> all = memory.equal(one, other);
    Optional<Boolean> butTheLast = memory.equal(one.slice(3, 4996), other.slice(3, 4996));

    assumeTrue(all.isPresent(), "this memory does not compare");
    assertThat(all).hasValue(false);
    assertThat(butTheLast).hasValue(true);
  }

  @Test
  void aSourceThatIsFreeMayBeWritten() throws Exception {
    byte[] bytes = random(11, 3 * 4096);
    byte[] source = bytes.clone();
    DeviceAddress address = memory.allocate(bytes.length);
    CopyBatch batch = new CopyBatch(2);
    batch.add(HostMemory.of(source), 0, address.slice(0, 4096));
    batch.add(HostMemory.of(source), 4096, address.slice(4096, 2 * 4096));

    CopyEvent event = memory.copyAndChecksumAsync(batch);
    while (!event.isSourceFree()) {
      Thread.onSpinWait();
    }
    Arrays.fill(source, (byte) 0x55);
    event.await();

    assertThat(event.isSourceFree()).isTrue();
    assertThat(read(address)).isEqualTo(bytes);
    assertThat(event.checksum(1)).isEqualTo(crc(bytes, 4096, 2 * 4096));
  }

  @Test
  void aBatchHasOneEventAndAChecksumPerChunk() throws Exception {
    byte[] bytes = random(8, 10_000);
    DeviceAddress address = memory.allocate(8000);
    CopyBatch batch = new CopyBatch(3);
    batch.add(HostMemory.of(bytes), 4000, address.slice(0, 3000));
    batch.add(HostMemory.of(bytes), 0, address.slice(4000, 4000));
    batch.add(HostMemory.of(new byte[7]), 0, address.slice(3000, 7));

    CopyEvent event = memory.copyAndChecksumAsync(batch);
    event.await();

    assertThat(event.isDone()).isTrue();
    assertThat(event.checksum(0)).isEqualTo(crc(bytes, 4000, 3000));
    assertThat(event.checksum(1)).isEqualTo(crc(bytes, 0, 4000));
    assertThat(event.checksum(2)).isEqualTo(crc(new byte[7], 0, 7));
    assertThat(read(address.slice(0, 3000))).isEqualTo(Arrays.copyOfRange(bytes, 4000, 7000));
    assertThat(read(address.slice(4000, 4000))).isEqualTo(Arrays.copyOf(bytes, 4000));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void chunksOfGatheredSpansAreCopiedAndChecked(long seed) throws Exception {
    GatheredSpans gathered = GatheredSpans.random(seed);
    CaptureSource source = memory.locate(gathered.region("tensors"));
    byte[] bytes = gathered.image();
    int chunkBytes = 1 + new Random(seed).nextInt(bytes.length);
    int chunks = (bytes.length + chunkBytes - 1) / chunkBytes;
    DeviceAddress address = memory.allocate(bytes.length);
    CopyBatch batch = new CopyBatch(chunks);
    for (int start = 0; start < bytes.length; start += chunkBytes) {
      batch.add(source, start, address.slice(start, Math.min(chunkBytes, bytes.length - start)));
    }

    CopyEvent event = memory.copyAndChecksumAsync(batch);
    event.await();

    assertThat(source.bytes()).isEqualTo(bytes.length);
    assertThat(read(address)).as("seed %d", seed).isEqualTo(bytes);
    for (int chunk = 0; chunk < chunks; chunk++) {
      int start = chunk * chunkBytes;
      assertThat(event.checksum(chunk))
          .as("seed %d, chunk %d of %d bytes", seed, chunk, chunkBytes)
          .isEqualTo(crc(bytes, start, Math.min(chunkBytes, bytes.length - start)));
    }
  }

  @Test
  void aBatchWithOneWrongChunkIsRefusedWhole() throws Exception {
    byte[] bytes = random(9, 64);
    DeviceAddress address = memory.allocate(64);
    memory.copyAndChecksumAsync(HostMemory.of(bytes), 0, address).await();
    CopyBatch batch = new CopyBatch(2);
    batch.add(HostMemory.of(new byte[64]), 0, address);
    batch.add(
        HostMemory.of(new byte[8]), 0, new DeviceAddress(address.device(), 2L * CAPACITY_BYTES, 8));

    assertThatIllegalArgumentException().isThrownBy(() -> memory.copyAndChecksumAsync(batch));

    assertThat(read(address)).isEqualTo(bytes);
  }

  @Test
  void severalCopiesToTheHostAreUnderWay() throws Exception {
    byte[] bytes = random(10, 4096);
    DeviceAddress address = memory.allocate(4096);
    memory.copyAndChecksumAsync(HostMemory.of(bytes), 0, address).await();
    byte[] found = new byte[4096];
    ByteBuffer target = ByteBuffer.wrap(found);
    List<CopyEvent> events = new ArrayList<>();

    for (int start = 0; start < 4096; start += 512) {
      target.limit(start + 512).position(start);
      events.add(memory.copyToHostAsync(address.slice(start, 512), target));
    }
    target.clear();
    Collections.reverse(events);
    for (CopyEvent event : events) {
      event.await();
    }

    assertThat(found).isEqualTo(bytes);
  }

  @Test
  void memoryOfADeviceOutOfReachIsRefused() throws Exception {
    Region.OnDevice region =
        new Region.OnDevice(
            "weights",
            new DeviceName("unknown", 3),
            0x7f0012345000L,
            4096,
            new ReadyAfter.Stream(0),
            "owner");
    DeviceResident source = new DeviceResident(region);
    DeviceAddress address = memory.allocate(4096);

    refusesToReach(() -> memory.locate(region));
    refusesToReach(() -> memory.copyAndChecksumAsync(source, 0, address));
    refusesToReach(() -> memory.copyToResidentAsync(ByteBuffer.allocate(8), source, 0));
    refusesToReach(() -> memory.workBefore(List.of(source)));
    refusesToReach(() -> memory.copyFromResidentAsync(source, 0, ByteBuffer.allocate(8)));
  }

  private void refusesToReach(ThrowingCallable copy) {
    assertThatIllegalArgumentException()
        .isThrownBy(copy)
        .withMessageContaining("region weights: 4096 bytes at 0x7f0012345000")
        .withMessageContaining("device unknown:3")
        .withMessageContaining(memory.describe())
        .withMessageContaining("protect a copy of it in host memory");
  }

  @Test
  void hostMemoryIsInReachOfEveryDevice() throws Exception {
    CaptureSource source = memory.locate(new Region.Memory("weights", random(11, 32)));
    DeviceAddress address = memory.allocate(32);

    memory.copyAndChecksumAsync(source, 0, address).await();

    assertThat(read(address)).isEqualTo(random(11, 32));
  }

  @Test
  void aCopyToTheHostHasNoChecksum() throws Exception {
    DeviceAddress address = memory.allocate(8);
    CopyEvent event = memory.copyToHostAsync(address, ByteBuffer.allocate(8));
    event.await();
    assertThatIllegalStateException().isThrownBy(event::checksum);
  }

  @Test
  void manyThreadsCopyAtOnce() throws Exception {
    int threads = 4;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> done = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int seed = t;
        DeviceAddress address = memory.allocate(100_000);
        done.add(pool.submit(() -> copyRepeatedly(address, seed)));
      }
      for (Future<?> one : done) {
        one.get();
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private Void copyRepeatedly(DeviceAddress address, int seed) throws Exception {
    for (int round = 0; round < 20; round++) {
      byte[] bytes = random(seed * 1000 + round, 100_000);
      CopyEvent event = memory.copyAndChecksumAsync(HostMemory.of(bytes), 0, address);
      event.await();
      assertThat(event.checksum()).isEqualTo(crc(bytes, 0, bytes.length));
      assertThat(read(address)).isEqualTo(bytes);
    }
    return null;
  }

  byte[] read(DeviceAddress address) throws Exception {
    return read(memory, address);
  }

  static byte[] read(DeviceMemory memory, DeviceAddress address) throws Exception {
    byte[] bytes = new byte[(int) address.bytes()];
    memory.copyToHostAsync(address, ByteBuffer.wrap(bytes)).await();
    return bytes;
  }

  static byte[] random(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  static int crc(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }
}
