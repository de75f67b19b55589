package io.cairn.engine.sharing.borrower;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.Region;
import io.cairn.cache.capture.Capture;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.capture.Snapshot;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.Pin;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.peer.LoopbackPeers;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.sharing.PlanAnswer;
import io.cairn.core.threads.DaemonThreads;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.coordination.Waits;
import io.cairn.engine.sharing.peer.HolderId;
import io.cairn.engine.sharing.peer.Peers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A borrower whose lenders fail it while it places a checkpoint. */
@Timeout(60)
class BorrowerTest {
  private static final int CHUNK = 4096;
  private static final int SLOTS = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final GroupId GROUP = new GroupId("job", "g");

  @TempDir Path root;

  private final LoopbackPeers network = new LoopbackPeers(5);
  private final List<PeerTransport> lenders = new ArrayList<>();
  private final Set<LeaseId> released = ConcurrentHashMap.newKeySet();
  private SharedMemoryDevice device;
  private ChunkCache cache;
  private PeerTransport transport;
  private PushQueue staging;
  private Borrower borrower;

  @BeforeEach
  void open() throws IOException {
    device = SharedMemoryDevice.open(root, root, SLOTS * CHUNK);
    cache = new ChunkCache(device, SLOTS * CHUNK, CHUNK);
    transport = network.open(new Lending("nobody", id -> {}), PATIENCE);
    staging =
        new PushQueue(
            transport, CHUNK, Executors.newSingleThreadExecutor(DaemonThreads.named("stage")));
    Peers peers = new Peers(transport, device, "here", CHUNK, 10, found -> {});
    HolderId self = HolderId.of("borrower", transport.address());
    borrower =
        new Borrower(self, peers, staging, CHUNK, PATIENCE.toNanos(), System::nanoTime, Waits.REAL);
  }

  @AfterEach
  void close() {
    transport.close();
    staging.close();
    lenders.forEach(PeerTransport::close);
    cache.close();
    device.close();
  }

  /** A capture that is under way. */
  private record Begun(CachedCheckpoint target, Capture capture) {}

  /** Lends one slot to whoever claims, after something has happened. */
  private final class Lending implements PeerService {
    private final String process;
    private final Consumer<LeaseId> before;
    private volatile String self = "";

    Lending(String process, Consumer<LeaseId> before) {
      this.process = process;
      this.before = before;
    }

    String open() {
      PeerTransport opened = network.open(this, PATIENCE);
      lenders.add(opened);
      self = HolderId.of(process, opened.address()).toString();
      return self;
    }

    @Override
    public CompletionStage<byte[]> answer(byte[] question) {
      return CompletableFuture.completedFuture(
          Wire.encode(reply(Wire.decode(question, PeerRequest.class))));
    }

    private PeerReply reply(PeerRequest question) {
      if (!(question instanceof PeerRequest.Lease lease)) {
        return new PeerReply.Greeting(self, "elsewhere", CHUNK, List.of());
      }
      LeaseRequest request = lease.request();
      LeaseAnswer answer;
      if (request instanceof LeaseRequest.Acquire) {
        before.accept(request.id());
        answer = new LeaseAnswer.Granted(request.id(), List.of(0), PATIENCE.toNanos());
      } else {
        released.add(request.id());
        answer = new LeaseAnswer.Released(request.id());
      }
      return new PeerReply.Leased(answer);
    }

    @Override
    public PeerSink receive(byte[] header, long bytes) {
      return new PeerSink() {
        @Override
        public void data(ByteBuffer slice) {}

        @Override
        public void complete() {}

        @Override
        public void failed(String reason) {}
      };
    }
  }

  /** Captures as much as fits here, and leaves so many chunks without a place. */
  private Begun begin(CheckpointId id, int homeless) {
    ProtectedRegions regions = new ProtectedRegions(cache.memory(), CHUNK);
    regions.protect(new Region.Memory("bytes", new byte[(SLOTS + homeless) * CHUNK]));
    Snapshot snapshot = regions.snapshot();
    CachedCheckpoint target = cache.reservePart(id, 0, snapshot.chunks());
    return new Begun(target, snapshot.copyInto(target));
  }

  private static void untilAtLeast(int count, Set<?> seen) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (seen.size() < count && System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  /** The second lender answers when the first has lost its part, and the third after that. */
  @Test
  void aLeaseRevokedWhileOthersAreAskedCostsTheCheckpointAndNoSlot() throws Exception {
    Set<LeaseId> claimed = ConcurrentHashMap.newKeySet();
    AtomicReference<LeaseId> ofFirst = new AtomicReference<>();
    Consumer<LeaseId> noting =
        id -> {
          claimed.add(id);
          ofFirst.set(id);
        };
    String first = new Lending("first", noting).open();
    Consumer<LeaseId> losing =
        id -> {
          long end = System.nanoTime() + PATIENCE.toNanos();
          while (borrower.leases() == 0 && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
          }
          claimed.add(id);
          borrower.lost(ofFirst.get(), "the lender takes its slots back");
        };
    String second = new Lending("second", losing).open();
    String third = new Lending("third", claimed::add).open();
    CheckpointId id = new CheckpointId(GROUP, 1, 0);
    Begun begun = begin(id, 3);
    List<String> withdrawn = new ArrayList<>();
    PlanAnswer.Part plan =
        new PlanAnswer.Part(
            id,
            0,
            List.of(
                new PlanAnswer.PlannedLease(first, 1),
                new PlanAnswer.PlannedLease(second, 1),
                new PlanAnswer.PlannedLease(third, 1)),
            0,
            "");
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                borrower.place(
                    new Member(GROUP, 0, 1), plan, begun.target(), begun.capture(), withdrawn::add))
        .withMessageContaining("GONE");
    begun.capture().abandon();
    untilAtLeast(3, released);
    assertThat(released).isEqualTo(claimed);
    assertThat(withdrawn).hasSize(1);
    assertThat(borrower.leases()).isZero();
    assertThat(cache.freeSlots()).isEqualTo(SLOTS);
  }

  /** The caller finds other places for its chunks before the capture ends. */
  @Test
  void aLenderThatIsGoneDuringACaptureCostsItsLeaseOnly() {
    String lender = new Lending("lender", id -> {}).open();
    Member member = new Member(GROUP, 0, 1);
    CheckpointId id = new CheckpointId(GROUP, 1, 0);
    Begun begun = begin(id, 1);
    List<String> withdrawn = new ArrayList<>();
    PlanAnswer.Part plan =
        new PlanAnswer.Part(id, 0, List.of(new PlanAnswer.PlannedLease(lender, 1)), 0, "");
    Leases leases = borrower.place(member, plan, begun.target(), begun.capture(), withdrawn::add);

    boolean unused = borrower.lenderGone(lender, false);

    assertThat(unused).as("its slots may still be written").isFalse();
    assertThat(leases.parts().get(0).isLost()).isTrue();
    assertThat(begun.target().pin()).as("it is not discarded").get().satisfies(Pin::close);
    assertThat(withdrawn).isEmpty();
    begun.capture().abandon();
    begun.target().discard();
    assertThat(borrower.lenderGone(lender, false)).isTrue();
  }

  /** A copy that hangs holds the lease of a checkpoint that is gone, perhaps for good. */
  @Test
  void aDeadLenderIsForgottenAlthoughACopyHangs() {
    String lender = new Lending("lender", id -> {}).open();
    CheckpointId id = new CheckpointId(GROUP, 1, 0);
    Begun begun = begin(id, 1);
    PlanAnswer.Part plan =
        new PlanAnswer.Part(id, 0, List.of(new PlanAnswer.PlannedLease(lender, 1)), 0, "");
    borrower.place(new Member(GROUP, 0, 1), plan, begun.target(), begun.capture(), why -> {});

    assertThat(borrower.lenderGone(lender, true)).as("while it is captured").isFalse();
    begun.target().discard();

    assertThat(borrower.lenderGone(lender, false)).as("without a proof").isFalse();
    assertThat(borrower.lenderGone(lender, true)).isTrue();
    begun.capture().abandon();
  }

  /** The desk does not know how much host memory is free. */
  @Test
  void chunksThatTheHostHasNoRoomForGoToALender() {
    String lender = new Lending("lender", id -> {}).open();
    CheckpointId id = new CheckpointId(GROUP, 1, 0);
    Begun begun = begin(id, 2);
    PlanAnswer.Part plan =
        new PlanAnswer.Part(id, 0, List.of(new PlanAnswer.PlannedLease(lender, 1)), 1, "");

    Leases leases =
        borrower.place(new Member(GROUP, 0, 1), plan, begun.target(), begun.capture(), why -> {});

    assertThat(leases.chunks()).isEqualTo(2);
    assertThat(begun.target().placed()).isEqualTo(begun.target().chunks());
    begun.capture().abandon();
    begun.target().discard();
  }

  /** The desk does not know that a lender died, and another process serves at its address. */
  @Test
  void aLenderThatWasNeverAskedReceivesNoRelease() {
    Set<LeaseId> claimed = ConcurrentHashMap.newKeySet();
    String lender = new Lending("second", claimed::add).open();
    String dead = lender.replace("second", "first");
    for (String planned : List.of(dead, lender)) {
      CheckpointId id = new CheckpointId(GROUP, 1, planned.equals(dead) ? 0 : 1);
      Begun begun = begin(id, 1);
      PlanAnswer.Part plan =
          new PlanAnswer.Part(id, 0, List.of(new PlanAnswer.PlannedLease(planned, 1)), 0, "");
      borrower.place(new Member(GROUP, 0, 1), plan, begun.target(), begun.capture(), why -> {});
      begun.capture().abandon();
      begun.target().discard();
    }

    untilAtLeast(1, released);
    assertThat(released).isEqualTo(claimed).hasSize(1);
  }

  /** An attempt that was fenced may end long after the next one began in the same process. */
  @Test
  void anAttemptThatEndsTakesNothingFromALaterOne() {
    String lender = new Lending("lender", id -> {}).open();
    Member member = new Member(GROUP, 0, 1);
    CheckpointId later = new CheckpointId(GROUP, 2, 0);
    Begun begun = begin(later, 1);
    PlanAnswer.Part plan =
        new PlanAnswer.Part(later, 0, List.of(new PlanAnswer.PlannedLease(lender, 1)), 0, "");
    borrower.place(member, plan, begun.target(), begun.capture(), why -> {});
    begun.capture().abandon();
    borrower.ended(member, 1);
    assertThat(borrower.leases()).isEqualTo(1);
    borrower.ended(member, 2);
    assertThat(borrower.leases()).isZero();
  }
}
