package io.cairn.adjoint.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.sun.management.ThreadMXBean;
import io.cairn.cache.chunk.SlotExport;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.flow.Topology;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.wire.PeerReply.Greeting;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which grants a borrower takes, and where their chunks lie. */
class BorrowedChunksTest {
  private static final int CHUNK = 4096;
  private static final int SLAB = 8;

  @TempDir Path directory;
  private DeviceMemory device = new DelayedDevice(1, 0);
  private DeviceAddress first = new DeviceAddress(0, 0, 0);
  private DeviceAddress second = new DeviceAddress(0, 0, 0);
  private MemoryShelf shelf = new MemoryShelf("none", device, CHUNK);
  private Room room = new Room(0, shelf, 0, false);

  /** Of each request. */
  private final List<Integer> asked = new ArrayList<>();

  @BeforeEach
  void openDevice() throws IOException {
    device = SharedMemoryDevice.open(directory, directory, 1 << 20);
    first = device.allocate(SLAB * CHUNK);
    second = device.allocate(SLAB * CHUNK);
    shelf = new MemoryShelf("peers", device, CHUNK);
    room = new Room(0, shelf, 0, false);
  }

  @AfterEach
  void closeDevice() {
    device.close();
  }

  private BorrowedChunks nothing() {
    Ledger ledger = new Ledger(new HistorySettings(CHUNK, CHUNK, directory, 0), List.of(room));
    return new BorrowedChunks("borrower", device, CHUNK, ledger.lending(), room, shelf);
  }

  /** A lender of two slabs, which answers with these slots whatever is asked. */
  private class Lender implements LeaseLink {
    private final List<Integer> slots;
    private boolean closed;

    Lender(Integer... slots) {
      this.slots = List.of(slots);
    }

    @Override
    public Greeting greet() {
      return new Greeting(
          "",
          "",
          CHUNK,
          List.of(
              new SlotExport(0, SLAB, device.export(first)).toMessage(),
              new SlotExport(SLAB, SLAB, device.export(second)).toMessage()));
    }

    @Override
    public LeaseAnswer acquire(LeaseRequest.Acquire request) {
      asked.add(request.chunks());
      return new LeaseAnswer.Granted(request.id(), slots, 1);
    }

    @Override
    public void listen(BooleanSupplier vacate, Runnable gone) {}

    @Override
    public void close() {
      closed = true;
    }
  }

  private byte firstByte(DeviceAddress slab, int chunk) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(1);
    device.copyToHostAsync(slab.slice((long) chunk * CHUNK, 1), bytes).awaitLanding();
    return bytes.get(0);
  }

  @Test
  void chunksBecomeTheFewestSpans() throws IOException {
    Lender lender = new Lender(9, 3, 4, 5, 8, 7);
    BorrowedChunks borrowed = nothing();

    borrowed.borrow(1, lender, 6);
    borrowed.use();

    assertThat(lender.closed).isFalse();
    assertThat(borrowed.usedBytes()).isEqualTo(6L * CHUNK);
    boolean[] follows = new boolean[5];
    for (int chunk = 0; chunk < 5; chunk++) {
      follows[chunk] = shelf.follows(chunk, chunk + 1);
    }
    assertThat(follows).containsExactly(true, true, false, false, true);
    for (int chunk = 0; chunk < 6; chunk++) {
      shelf.write(chunk, ByteBuffer.wrap(new byte[] {(byte) (chunk + 1)}));
    }
    byte[] written = new byte[2 * SLAB];
    for (int chunk = 0; chunk < SLAB; chunk++) {
      written[chunk] = firstByte(first, chunk);
      written[SLAB + chunk] = firstByte(second, chunk);
    }
    assertThat(written).containsExactly(0, 0, 0, 1, 2, 3, 0, 4, 5, 6, 0, 0, 0, 0, 0, 0);
  }

  /** The lender would lend or use a chunk where the copy lands later. */
  @Test
  void keepsALeaseWhileAFailedCopyMayStillWriteThere() throws IOException {
    try (DelayedDevice own = new DelayedDevice(1, 0);
        DelayedDevice others = new DelayedDevice(SLAB * CHUNK, 1)) {
      MemoryShelf there = new MemoryShelf("peers", own, CHUNK);
      Room lentRoom = new Room(0, there, 0, false);
      HistorySettings settings = new HistorySettings(CHUNK, CHUNK, directory, 0);
      Ledger ledger = new Ledger(settings, List.of(lentRoom));
      BorrowedChunks borrowed =
          new BorrowedChunks("borrower", own, CHUNK, ledger.lending(), lentRoom, there);
      SlotExport all = new SlotExport(0, SLAB, others.export(others.allocate(SLAB * CHUNK)));
      Lender lender =
          new Lender(3, 4) {
            @Override
            public Greeting greet() {
              return new Greeting("", "", CHUNK, List.of(all.toMessage()));
            }
          };
      borrowed.borrow(1, lender, 2);
      borrowed.use();
      others.hangNextCopy();
      assertThatIOException()
          .isThrownBy(() -> there.write(0, ByteBuffer.wrap(new byte[CHUNK])))
          .withMessageContaining("does not answer");

      borrowed.giveBack();
      assertThat(lender.closed).as("given back").isFalse();
      ledger.close();
      borrowed.close();
      assertThat(lender.closed).as("closed").isFalse();
      others.endHang();
      borrowed.giveBack();

      assertThat(lender.closed).as("when it has landed").isTrue();
    }
  }

  @Test
  void refusesGrantsThatItCannotUse() {
    refuses(new Lender(3, 4, 3), "3 chunks, of which 2 are exported; 3 were asked for");
    refuses(new Lender(3, 2 * SLAB), "2 chunks, of which 1 are exported; 3 were asked for");
    refuses(new Lender(Integer.MAX_VALUE), "1 chunks, of which 0 are exported; 3 were asked for");
    refuses(new Lender(1, 2, 3, 4), "4 chunks, of which 4 are exported; 3 were asked for");
  }

  @Test
  void refusesMemoryOfAnotherLength() {
    Lender longer =
        new Lender(3) {
          @Override
          public Greeting greet() {
            SlotExport all = new SlotExport(0, SLAB + 1, device.export(first));
            return new Greeting("", "", CHUNK, List.of(all.toMessage()));
          }
        };
    assertThatIOException()
        .isThrownBy(() -> nothing().borrow(1, longer, 3))
        .withMessageContaining("32768 bytes are not 9 slots of 4096");
    assertThat(longer.closed).isTrue();
  }

  /** No two chunks follow each other, which is the worst case; here a chunk has eight bytes. */
  @Test
  void aBorrowedChunkTakesFewBytesOfTheHeap() throws IOException {
    int chunks = 10_000;
    long before = allocatedByBorrowing(chunks); // the first time loads classes, too

    assertThat(allocatedByBorrowing(chunks) / chunks)
        .as("bytes per chunk, after %d in all before", before)
        .isLessThan(256);
  }

  private long allocatedByBorrowing(int chunks) throws IOException {
    try (DeviceMemory large = SharedMemoryDevice.open(directory, directory, 16L * chunks)) {
      SlotExport all = new SlotExport(0, 2 * chunks, large.export(large.allocate(16L * chunks)));
      Integer[] slots = IntStream.range(0, chunks).mapToObj(i -> 2 * i).toArray(Integer[]::new);
      Lender scattered =
          new Lender(slots) {
            @Override
            public Greeting greet() {
              return new Greeting("", "", 8, List.of(all.toMessage()));
            }
          };
      MemoryShelf there = new MemoryShelf("peers", large, 8);
      Room lentRoom = new Room(0, there, 0, false);
      HistorySettings settings = new HistorySettings(CHUNK, CHUNK, directory, 0);
      Lending lending = new Ledger(settings, List.of(lentRoom)).lending();
      BorrowedChunks borrowed = new BorrowedChunks("borrower", large, 8, lending, lentRoom, there);
      ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long before = thread.getCurrentThreadAllocatedBytes();

      borrowed.borrow(1, scattered, chunks);
      borrowed.use();

      long bytes = thread.getCurrentThreadAllocatedBytes() - before;
      assertThat(there.chunks()).isEqualTo(chunks);
      return bytes;
    }
  }

  @Test
  void borrowsByAsManyLeasesAsItTakes() {
    Ledger ledger = new Ledger(new HistorySettings(CHUNK, CHUNK, directory, 0), List.of(room));
    Lending lending = ledger.lending();
    BorrowedChunks borrowed = new BorrowedChunks("borrower", device, CHUNK, lending, room, shelf);
    Lenders lenders = new OneChunkEach();
    LentChunks lent = new LentChunks(device, CHUNK, List.of(), lending);

    lenders.borrowPlanned(new PeerMember(lenders, 0, lent, borrowed), Map.of(0, -3L, 1, 16L));

    borrowed.use();
    assertThat(borrowed.usedBytes()).isEqualTo(3L * CHUNK);
    assertThat(asked).containsExactly(3, 2, 1);
  }

  /** Each lease has one chunk, as if no lease could have more. */
  private final class OneChunkEach extends Lenders {
    private int next;

    OneChunkEach() {
      super(Topology.uniform(2, 24e9, 1), Duration.ofSeconds(1));
    }

    @Override
    String shelf() {
      return "peers";
    }

    @Override
    String borrower() {
      return "borrower";
    }

    @Override
    void requireFree(int number, int chunkBytes) {}

    @Override
    void join(PeerMember member) {}

    @Override
    void report(PeerMember member, long chunks) {}

    @Override
    void leave(PeerMember member) {}

    @Override
    LeaseLink connect(int lender) {
      return new Lender(next++);
    }
  }

  private void refuses(Lender lender, String message) {
    BorrowedChunks borrowed = nothing();
    assertThatIOException().isThrownBy(() -> borrowed.borrow(1, lender, 3)).withMessage(message);
    assertThat(lender.closed).isTrue();
    borrowed.use();
    assertThat(borrowed.usedBytes()).isZero();
  }
}
