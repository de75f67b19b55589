package io.cairn.adjoint.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Region;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.Until;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.flow.Topology;
import io.cairn.engine.runtime.GatedStore;
import io.cairn.flush.format.MemoryStore;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that waits for one thing still answers others, and sees who dies. */
@Timeout(60)
class WaitingPeersTest {
  private static final int STATE = 8192;
  private static final int CHUNK = 4096;

  @TempDir Path directory;
  private Path meeting = Path.of("");
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  @BeforeEach
  void meet() {
    meeting = directory.resolve("peers");
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : opened) {
      one.close();
    }
  }

  private MachinePeers join(int number, int processes) throws IOException {
    Topology topology = Topology.uniform(processes, 24e9, 1);
    MachinePeers peers = MachinePeers.join(meeting, topology, number);
    opened.push(peers);
    return peers;
  }

  private DeviceMemory device() throws IOException {
    DeviceMemory device = SharedMemoryDevice.open(directory, directory, 1 << 20);
    opened.addLast(device);
    return device;
  }

  private History open(HistoryPlaces places, int deviceStates) throws IOException {
    Path files = directory.resolve("files-" + deviceStates);
    HistorySettings settings = new HistorySettings((long) deviceStates * STATE, CHUNK, files, 0);
    History history = History.open(places, settings);
    opened.push(history);
    history.protect(Region.of("field", new byte[STATE]));
    return history;
  }

  /** One lender has asked for its memory, and the store takes no state, as the other one dies. */
  @Test
  void theDeathOfALenderWaitsForNoMoveForAnother() throws Exception {
    MachinePeers borrowing = join(0, 3);
    DeviceMemory own = device();
    DeviceMemory others = device();
    GatedStore store = new GatedStore(new MemoryStore("m"));
    HistoryPlaces places =
        HistoryPlaces.on(own).withPeers(borrowing).withStore(store, Duration.ZERO, STATE);
    History borrower = open(places, 4);
    MortalLender asks = new MortalLender(meeting, others, 1, 3, 1);
    MortalLender dies = new MortalLender(meeting, others, 2, 3, 2);
    asks.live();
    dies.live();
    borrower.expect(28, STATE);
    Until.holds(
        () -> {
          asks.report();
          dies.report();
          return borrowing.borrowedBytes() == 24L * STATE;
        });
    for (long step = 0; step < 28; step++) {
      borrower.store(step);
    }
    Until.holds(() -> borrower.stats().below().get(0).bytes() == 24L * STATE);
    CountDownLatch moves = new CountDownLatch(1);
    CountDownLatch moved = new CountDownLatch(1);
    store.gate(
        (operation, path) -> {
          moves.countDown();
          try {
            moved.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        });
    try {
      asks.recall();
      moves.await();

      boolean unused = dies.die();

      Until.holds(() -> borrower.stats().lost() > 0);
    } finally {
      moved.countDown();
    }
    boolean unusedToo = asks.die();
  }

  /** The device of a closed history waits as it frees its memory. */
  @Test
  void memoryThatIsFreedSlowlyHoldsNobodyUp() throws Exception {
    MachinePeers borrowing = join(0, 2);
    MachinePeers lending = join(1, 2);
    CountDownLatch frees = new CountDownLatch(1);
    CountDownLatch freed = new CountDownLatch(1);
    DeviceMemory device = device();
    DeviceMemory slow =
        (DeviceMemory)
            Proxy.newProxyInstance(
                DeviceMemory.class.getClassLoader(),
                new Class<?>[] {DeviceMemory.class},
                (proxy, called, arguments) -> {
                  if (called.getName().equals("free")) {
                    frees.countDown();
                    freed.await();
                  }
                  return called.invoke(device, arguments);
                });
    History lender = open(HistoryPlaces.on(slow).withPeers(lending), 10);
    History borrower = open(HistoryPlaces.on(device()).withPeers(borrowing), 4);
    lender.expect(1, STATE);
    borrower.expect(13, STATE);
    Until.holds(() -> borrowing.borrowedBytes() == 9L * STATE);
    lender.close();
    try {
      borrower.close();
      frees.await();

      try (LeaseLink link = borrowing.connect(1)) {
        assertThat(link.greet().exports()).isEmpty();
      }
    } finally {
      freed.countDown();
    }
  }
}
