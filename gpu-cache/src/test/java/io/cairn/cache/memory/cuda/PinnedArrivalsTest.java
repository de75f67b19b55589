package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.HostMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies to the host that go on while their callers do other work. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PinnedArrivalsTest {
  private static final int PIECE = Devices.PINNED_BYTES;
  private static final int BYTES = 2 * PIECE + 123;
  private static final int CHUNKS = 6;
  private static final int INVALID_VALUE = 1;

  @TempDir private Path directory;

  private final byte[] content = new byte[CHUNKS * BYTES];
  private CudaDevice device;
  private DeviceAddress all;

  /** One copy, and where it goes to. */
  private record Read(int chunk, CopyEvent event, ByteBuffer found) {}

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

  private Read start(int chunk) {
    ByteBuffer found = ByteBuffer.allocate(BYTES);
    DeviceAddress address = all.slice((long) chunk * BYTES, BYTES);
    return new Read(chunk, device.copyToHostAsync(address, found), found);
  }

  private void requireRight(Read read) {
    assertThat(read.found())
        .as("chunk %d", read.chunk())
        .isEqualTo(ByteBuffer.wrap(content, read.chunk() * BYTES, BYTES));
  }

  @Test
  void theCallerGoesOnWhileTheGpuCopies() throws Exception {
    FakeCuda.fakecuda_hold(1);
    Read one = start(0);
    Read other = start(1);

    boolean done = one.event().isDone() || other.event().isDone();
    long underWay = FakeCuda.fakecuda_pending();
    FakeCuda.fakecuda_hold(0);
    one.event().await();
    other.event().await();

    assertThat(done).isFalse();
    assertThat(underWay).isGreaterThanOrEqualTo(2);
    requireRight(one);
    requireRight(other);
  }

  /** The two buffers hold pieces of the first copies, for which nobody asks. */
  @Test
  void theLastOfManyCopiesNeedsNoQuestionForTheOthers() throws Exception {
    List<Read> reads = IntStream.range(0, CHUNKS).mapToObj(this::start).toList();

    reads.get(CHUNKS - 1).event().await();

    for (Read read : reads) {
      assertThat(read.event().isDone()).isTrue();
      requireRight(read);
    }
  }

  @Test
  void anEmptyCopyIsDoneAtOnce() throws Exception {
    CopyEvent event = device.copyToHostAsync(all.slice(0, 0), ByteBuffer.allocate(0));

    assertThat(event.isDone()).isTrue();
    event.await();
  }

  @Test
  void copiesOfManyThreadsGoToTheirPlaces() throws Exception {
    FakeCuda.fakecuda_delays(11, 200);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Boolean>> work = new ArrayList<>();
      for (int seed = 0; seed < 4; seed++) {
        Random random = new Random(seed);
        work.add(() -> readSome(random));
      }
      for (var ended : threads.invokeAll(work)) {
        assertThat(ended.get()).isTrue();
      }
    } finally {
      threads.shutdown();
    }
  }

  private boolean readSome(Random random) throws IOException {
    for (int round = 0; round < 20; round++) {
      List<Read> reads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        reads.add(start(random.nextInt(CHUNKS)));
      }
      for (Read read : reads) {
        read.event().awaitLanding();
        requireRight(read);
      }
    }
    return true;
  }

  @Test
  void aCopyThatIsRefusedDoesNotStopTheNext() throws Exception {
    for (int round = 0; round < 3; round++) {
      FakeCuda.fakecuda_fail("cuMemcpyDtoHAsync_v2", 1, INVALID_VALUE, 0);
      Read refused = start(0);
      Read next = start(1);

      assertThatIOException().isThrownBy(refused.event()::await);
      assertThat(refused.event().isDone()).isTrue();
      next.event().await();
      requireRight(next);
    }
  }

  @Test
  void aCopyWhoseEndIsNotSeenGivesItsBufferBack() throws Exception {
    for (int round = 0; round < 3; round++) {
      FakeCuda.fakecuda_fail("cuEventQuery", 1, INVALID_VALUE, 0);
      assertThatIOException().isThrownBy(start(0).event()::await);
    }

    Read last = start(1);
    last.event().await();
    requireRight(last);
  }

  @Test
  void aCopyThatTheEndOfItsDeviceOvertakesFails() throws Exception {
    FakeCuda.fakecuda_hold(1);
    List<Read> reads = IntStream.range(0, CHUNKS).mapToObj(this::start).toList();
    Thread closing = new Thread(device::close);
    closing.start();
    FakeCuda.fakecuda_hold(0); // from now on nobody asks, so that the last copies do not begin
    closing.join();

    assertThatIOException()
        .isThrownBy(reads.get(CHUNKS - 1).event()::await)
        .withMessageContaining("is closed");
  }
}
