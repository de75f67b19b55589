package io.cairn.adjoint.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.HostMemory;
import io.cairn.cache.memory.Until;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.wire.PeerReply.Export;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Chunks that a history lends, and takes back. */
@Timeout(60)
class LentChunksTest {
  private static final int CHUNK = 4096;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @TempDir Path directory;
  private DeviceMemory device = new DelayedDevice(1, 0);

  @BeforeEach
  void openDevice() throws IOException {
    device = SharedMemoryDevice.open(directory, directory, 1 << 20);
  }

  @AfterEach
  void closeDevice() {
    device.close();
  }

  /** Twenty chunks, all of them spare. */
  private LentChunks spare() throws IOException {
    return new LentChunks(device, CHUNK, List.of(device.allocate(20 * CHUNK)), lending());
  }

  private Lending lending() {
    HistorySettings settings = new HistorySettings(20 * CHUNK, CHUNK, directory, 0);
    Room below = new Room(0, new MemoryShelf("below", device, CHUNK), 0, false);
    Ledger ledger = new Ledger(settings, List.of(below));
    ledger.expect(0, CHUNK);
    return ledger.lending();
  }

  private static LeaseId id(int borrower) {
    CheckpointId any = new CheckpointId(new GroupId("a", "b"), 1, 0);
    return new LeaseId("borrower " + borrower, 1, any, 0);
  }

  private static void lend(LentChunks chunks, int borrower, Consumer<LeaseId> vacate) {
    assertThat(chunks.acquire(new LeaseRequest.Acquire(id(borrower), 3), vacate))
        .isInstanceOf(LeaseAnswer.Granted.class);
  }

  private static void fail(LeaseId id) {
    throw new HistoryException(id + " is not asked");
  }

  /** A copy of the history may still land in any chunk that it has free. */
  @Test
  void aDeadDeviceLendsNothing() throws IOException {
    try (DelayedDevice own = new DelayedDevice(20 * CHUNK, 1)) {
      DeviceAddress all = own.allocate(20 * CHUNK);
      LentChunks chunks = new LentChunks(own, CHUNK, List.of(all), lending());
      own.hangNextCopy();
      CopyEvent copy =
          own.copyAndChecksumAsync(HostMemory.of(new byte[CHUNK]), 0, all.slice(0, CHUNK));
      assertThatIOException().isThrownBy(copy::await);

      assertThat(chunks.acquire(new LeaseRequest.Acquire(id(1), 3), LentChunksTest::fail))
          .isInstanceOf(LeaseAnswer.Refused.class);
      own.endHang();
    }
  }

  /** The chunk of the copy that hangs comes free between the question and the loan. */
  @Test
  void aDeviceThatDiesDuringALoanLendsNothing() throws IOException {
    List<Boolean> answers = new ArrayList<>(List.of(false, true));
    DeviceMemory dying =
        (DeviceMemory)
            Proxy.newProxyInstance(
                DeviceMemory.class.getClassLoader(),
                new Class<?>[] {DeviceMemory.class},
                (proxy, called, arguments) ->
                    called.getName().equals("isDead")
                        ? answers.size() > 1 ? answers.remove(0) : answers.get(0)
                        : called.invoke(device, arguments));
    Lending lending = lending();
    LentChunks chunks = new LentChunks(dying, CHUNK, List.of(device.allocate(20 * CHUNK)), lending);
    long spare = lending.spareChunks();

    assertThat(chunks.acquire(new LeaseRequest.Acquire(id(1), 3), LentChunksTest::fail))
        .isInstanceOf(LeaseAnswer.Refused.class);
    assertThat(lending.spareChunks()).isEqualTo(spare);
    assertThat(chunks.bytes()).isZero();
  }

  @Test
  void aBorrowerThatFailsIsAskedAgain() throws IOException {
    LentChunks chunks = spare();
    boolean[] works = {false};
    Consumer<LeaseId> vacate =
        id -> {
          if (!works[0]) {
            fail(id);
          }
          assertThat(chunks.release(id)).isEmpty();
        };
    lend(chunks, 1, vacate);
    lend(chunks, 2, vacate);
    assertThatThrownBy(() -> chunks.recall(PATIENCE)).isInstanceOf(HistoryException.class);
    assertThat(chunks.bytes()).isEqualTo(6L * CHUNK);
    works[0] = true;

    assertThat(chunks.recall(PATIENCE)).isTrue();

    assertThat(chunks.bytes()).isZero();
  }

  /** It is in the same process, and its files do not answer. */
  @Test
  void aBorrowerThatHangsIsWaitedForAsLongAsThePatience() throws Exception {
    LentChunks chunks = spare();
    CountDownLatch answer = new CountDownLatch(1);
    LeaseLink link = chunks.link();
    assertThat(link.acquire(new LeaseRequest.Acquire(id(1), 3)))
        .isInstanceOf(LeaseAnswer.Granted.class);
    link.listen(() -> closes(link, answer), () -> {});

    assertThat(chunks.recall(Duration.ofMillis(1))).isFalse();

    answer.countDown();
    Until.holds(() -> chunks.bytes() == 0);
  }

  private static boolean closes(LeaseLink link, CountDownLatch answer) {
    try {
      boolean unused = answer.await(50, TimeUnit.SECONDS);
      link.close();
      return true;
    } catch (InterruptedException e) {
      throw new HistoryException("the borrower does not answer", e);
    }
  }

  /** Such as 128 GiB of 4 KiB each; here a chunk is a byte. */
  @Test
  void greetsWithManyChunks() throws IOException {
    int many = 1 << 25;
    try (DeviceMemory large = SharedMemoryDevice.open(directory, directory, many)) {
      LentChunks chunks = new LentChunks(large, 1, List.of(large.allocate(many)), lending());

      assertThat(chunks.greeting().exports()).extracting(Export::slots).containsExactly(many);
    }
  }
}
