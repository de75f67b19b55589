package io.cairn.engine.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.Region;
import io.cairn.cache.capture.Capture;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.capture.Snapshot;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.peer.LoopbackPeers;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.sharing.PlanAnswer;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.sharing.peer.HolderId;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that was suspended for longer than others wait for it. */
@Timeout(60)
class OwnSilenceTest {
  private static final int CHUNK = 4096;
  private static final int SLOTS = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration SILENCE = Duration.ofSeconds(20);
  private static final Member MEMBER = new Member(new GroupId("job", "g"), 0, 1);

  @TempDir Path root;

  private final LoopbackPeers network = new LoopbackPeers(5);
  private final AtomicLong suspendedNanos = new AtomicLong();

  /** The desk, and a lender on another machine, which grants and acknowledges everything. */
  private final class Others implements PeerService {
    private final PeerTransport transport = network.open(this, PATIENCE);
    private final String self = HolderId.of("lender", transport.address()).toString();

    @Override
    public CompletionStage<byte[]> answer(byte[] question) {
      return CompletableFuture.completedFuture(
          Wire.encode(reply(Wire.decode(question, PeerRequest.class))));
    }

    private PeerReply reply(PeerRequest request) {
      if (request instanceof PeerRequest.Lease lease) {
        return new PeerReply.Leased(answer(lease.request()));
      } else if (request instanceof PeerRequest.Greet) {
        return new PeerReply.Greeting(self, "elsewhere", CHUNK, List.of());
      } else if (request instanceof PeerRequest.Desk desk
          && desk.message() instanceof DeskMessage.Report report) {
        List<PlanAnswer.PlannedLease> leases = List.of(new PlanAnswer.PlannedLease(self, 1));
        return new PeerReply.Planned(new PlanAnswer.Part(report.checkpoint(), 0, leases, 0, ""));
      }
      return new PeerReply.Done();
    }

    private LeaseAnswer answer(LeaseRequest request) {
      return request instanceof LeaseRequest.Acquire
          ? new LeaseAnswer.Granted(request.id(), List.of(0), PATIENCE.toNanos())
          : new LeaseAnswer.Released(request.id());
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

  @Test
  void aProcessThatWakesDiscardsItsLeasesOnOtherMachines() throws Exception {
    Others others = new Others();
    List<String> withdrawn = new CopyOnWriteArrayList<>();
    try (SharedMemoryDevice device = SharedMemoryDevice.open(root, root, SLOTS * CHUNK);
        ChunkCache cache = new ChunkCache(device, SLOTS * CHUNK, CHUNK);
        Sharing sharing =
            new Sharing(
                new SharingTerms(PATIENCE, PATIENCE, PATIENCE, 100, SILENCE),
                "self",
                cache,
                device,
                "here",
                0,
                others.transport.address(),
                service -> network.open(service, PATIENCE),
                SharingThreads.ofJvm(() -> System.nanoTime() + suspendedNanos.get()))) {
      capture(cache, sharing, withdrawn);
      assertThat(sharing.leases()).isEqualTo(1);

      suspendedNanos.addAndGet(2 * SILENCE.toNanos());

      while (withdrawn.isEmpty()) {
        TimeUnit.MILLISECONDS.sleep(5); // ends by the timeout's interruption
      }
      assertThat(sharing.leases()).isZero();
      assertThat(cache.of(MEMBER.group(), 0)).isEmpty();
    } finally {
      others.transport.close();
    }
  }

  private static void capture(ChunkCache cache, Sharing sharing, List<String> withdrawn)
      throws Exception {
    ProtectedRegions regions = new ProtectedRegions(cache.memory(), CHUNK);
    regions.protect(new Region.Memory("bytes", new byte[(SLOTS + 1) * CHUNK]));
    Snapshot snapshot = regions.snapshot();
    CachedCheckpoint target =
        cache.reservePart(new CheckpointId(MEMBER.group(), 1, 0), 0, snapshot.chunks());
    Sharing.Asked asked = sharing.ask(MEMBER, target);
    Capture capture = snapshot.copyInto(target);
    sharing.place(asked, capture, withdrawn::add);
    target.complete(capture.await(), Ancestry.NONE, Fingerprint.NONE);
  }
}
