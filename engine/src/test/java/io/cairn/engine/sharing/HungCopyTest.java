package io.cairn.engine.sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.Region;
import io.cairn.cache.capture.Capture;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.capture.Snapshot;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.SlotExport;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.ExportedMemory;
import io.cairn.core.peer.LoopbackPeers;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.sharing.PlanAnswer;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.sharing.borrower.Leases;
import io.cairn.engine.sharing.peer.HolderId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A capture to a lender on this machine, whose GPU does not answer. */
@Timeout(60)
class HungCopyTest {
  private static final int CHUNK = 4096;
  private static final int SLOTS = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Member MEMBER = new Member(new GroupId("job", "g"), 0, 1);

  private final LoopbackPeers network = new LoopbackPeers(5);
  private final Set<LeaseId> released = ConcurrentHashMap.newKeySet();

  /** The desk, and a lender on this machine, which grants one slot. */
  private final class Others implements PeerService {
    private final PeerTransport transport = network.open(this, PATIENCE);
    private final String self = HolderId.of("lender", transport.address()).toString();
    private final SlotExport export;

    Others(ExportedMemory memory) {
      export = new SlotExport(0, 1, memory);
    }

    @Override
    public CompletionStage<byte[]> answer(byte[] question) {
      return CompletableFuture.completedFuture(
          Wire.encode(reply(Wire.decode(question, PeerRequest.class))));
    }

    private PeerReply reply(PeerRequest request) {
      if (request instanceof PeerRequest.Lease lease) {
        return new PeerReply.Leased(answer(lease.request()));
      } else if (request instanceof PeerRequest.Greet) {
        return new PeerReply.Greeting(self, "here", CHUNK, List.of(export.toMessage()));
      } else if (request instanceof PeerRequest.Desk desk
          && desk.message() instanceof DeskMessage.Report report) {
        List<PlanAnswer.PlannedLease> leases = List.of(new PlanAnswer.PlannedLease(self, 1));
        return new PeerReply.Planned(new PlanAnswer.Part(report.checkpoint(), 0, leases, 0, ""));
      }
      return new PeerReply.Done();
    }

    private LeaseAnswer answer(LeaseRequest request) {
      if (request instanceof LeaseRequest.Acquire) {
        return new LeaseAnswer.Granted(request.id(), List.of(0), PATIENCE.toNanos());
      }
      released.add(request.id());
      return new LeaseAnswer.Released(request.id());
    }

    @Override
    public PeerSink receive(byte[] header, long bytes) {
      throw new IllegalStateException("its memory is open to the borrower");
    }
  }

  /** Host memory has room: the chunk could go there. */
  @Test
  void aSlotStaysLeasedWhileACopyMayStillLandThere() throws Exception {
    DelayedDevice lent = new DelayedDevice(CHUNK, 1);
    Others others = new Others(lent.export(lent.allocate(CHUNK)));
    try (DelayedDevice device = new DelayedDevice(SLOTS * CHUNK, 2);
        DelayedDevice host = new DelayedDevice(SLOTS * CHUNK, 3);
        ChunkCache cache = new ChunkCache(device, SLOTS * CHUNK, host, SLOTS * CHUNK, CHUNK);
        Sharing sharing =
            new Sharing(
                new SharingTerms(PATIENCE, PATIENCE, PATIENCE, 100),
                "self",
                cache,
                device,
                "here",
                0,
                others.transport.address(),
                service -> network.open(service, PATIENCE),
                SharingThreads.ofJvm(System::nanoTime))) {
      ProtectedRegions regions = new ProtectedRegions(cache.memory(), CHUNK);
      regions.protect(new Region.Memory("bytes", new byte[(SLOTS + 1) * CHUNK]));
      Snapshot snapshot = regions.snapshot();
      CachedCheckpoint target =
          cache.reservePart(new CheckpointId(MEMBER.group(), 1, 0), 0, snapshot.chunks());
      Sharing.Asked asked = sharing.ask(MEMBER, target);
      Capture capture = snapshot.copyInto(target);
      lent.hangNextCopy();
      Leases leases = sharing.place(asked, capture, why -> {});

      sharing.settle(MEMBER, leases, target, capture, why -> {});

      assertThat(sharing.leases()).isEqualTo(1);
      assertThatIOException().isThrownBy(capture::await).withMessageContaining("does not answer");
      target.discard();
      assertThat(sharing.leases()).isEqualTo(1);
      assertThat(released).isEmpty();
    } finally {
      others.transport.close();
      lent.endHang();
      lent.close();
    }
  }
}
