package io.cairn.engine.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.ReadyAfter;
import io.cairn.cache.capture.Capture;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.capture.Snapshot;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.Pin;
import io.cairn.cache.memory.cuda.Application;
import io.cairn.cache.memory.cuda.CudaDevice;
import io.cairn.cache.memory.cuda.CudaOptions;
import io.cairn.cache.memory.cuda.FakeCuda;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.peer.LoopbackPeers;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.sharing.PlanAnswer;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.sharing.borrower.Leases;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A lender on this machine, to whose GPU the driver knows no way from the borrower's. */
@Timeout(60)
class UnreachedLenderTest {
  private static final int CHUNK = 4096;
  private static final int OWN_SLOTS = 2;
  private static final int LENT_CHUNKS = 3;
  private static final int BYTES = (OWN_SLOTS + LENT_CHUNKS) * CHUNK - 77;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Member MEMBER = new Member(new GroupId("job", "g"), 0, 1);

  @TempDir Path root;

  private final LoopbackPeers network = new LoopbackPeers(5);
  private Application application;
  private CudaDevice lentDevice;
  private ChunkCache lentCache;
  private Sharing lender;
  private CudaDevice device;
  private ChunkCache cache;
  private PeerTransport desk;
  private Sharing borrower;

  /** Plans that the lender holds all. */
  private final class Desk implements PeerService {
    @Override
    public CompletionStage<byte[]> answer(byte[] question) {
      PeerReply reply = new PeerReply.Done();
      if (Wire.decode(question, PeerRequest.class) instanceof PeerRequest.Desk asked
          && asked.message() instanceof DeskMessage.Report report) {
        List<PlanAnswer.PlannedLease> leases =
            List.of(new PlanAnswer.PlannedLease(lender.holder(), report.remainderChunks()));
        reply = new PeerReply.Planned(new PlanAnswer.Part(report.checkpoint(), 0, leases, 0, ""));
      }
      return CompletableFuture.completedFuture(Wire.encode(reply));
    }

    @Override
    public PeerSink receive(byte[] header, long bytes) {
      throw new IllegalStateException("a desk has no slots");
    }
  }

  @BeforeEach
  void open() throws IOException {
    FakeCuda.library();
    application = Application.open();
    lentDevice = openDevice(1, 8);
    lentCache = new ChunkCache(lentDevice, 8 * CHUNK, CHUNK);
    lender = share("lender", lentCache, lentDevice, network.nobody());
    device = openDevice(0, OWN_SLOTS);
    cache = new ChunkCache(device, OWN_SLOTS * CHUNK, CHUNK);
    desk = network.open(new Desk(), PATIENCE);
    borrower = share("borrower", cache, device, desk.address());
  }

  private CudaDevice openDevice(int gpu, int slots) throws IOException {
    return CudaDevice.open(CudaOptions.of(FakeCuda.library(), gpu, (long) slots * CHUNK, root));
  }

  private Sharing share(String name, ChunkCache with, CudaDevice memory, PeerAddress asked)
      throws IOException {
    return new Sharing(
        new SharingTerms(PATIENCE, PATIENCE, PATIENCE, 100),
        name,
        with,
        memory,
        "here",
        0,
        asked,
        service -> network.open(service, PATIENCE),
        SharingThreads.ofJvm(System::nanoTime));
  }

  @AfterEach
  void close() throws IOException {
    borrower.close();
    desk.close();
    cache.close();
    device.close();
    lender.close();
    lentCache.close();
    lentDevice.close();
    application.close();
  }

  /** Through the host, by pushes. Both follow each other's life as on one GPU. */
  @Test
  void itsSlotsAreFilledAndReadByPushes() throws Exception {
    long weights = application.allocate(BYTES);
    long stream = application.stream();
    ProtectedRegions regions = new ProtectedRegions(device, CHUNK);
    regions.protect(application.region(weights, BYTES, new ReadyAfter.Stream(stream)));
    application.fill(weights, 5, BYTES, stream);
    Snapshot snapshot = regions.snapshot();
    CachedCheckpoint target =
        cache.reservePart(new CheckpointId(MEMBER.group(), 1, 0), 0, snapshot.chunks());
    Sharing.Asked asked = borrower.ask(MEMBER, target);
    Capture capture = snapshot.copyInto(target);

    Leases leases = borrower.place(asked, capture, why -> {});
    leases = borrower.settle(MEMBER, leases, target, capture, why -> {});
    target.complete(capture.await(), Ancestry.NONE, Fingerprint.NONE);
    leases.announce().toCompletableFuture().join();

    assertThat(leases.chunks()).isEqualTo(LENT_CHUNKS);
    assertThat(leases.parts()).allMatch(part -> part.isNear() && !part.isLost());
    application.fill(weights, 9, BYTES, stream);
    try (Pin pin = target.pin().orElseThrow()) {
      regions.restore(target.images(), pin.reader(), ByteBuffer.allocate(CHUNK));
    }
    assertThat(application.read(weights, BYTES)).containsOnly(5);
    target.discard();
  }
}
