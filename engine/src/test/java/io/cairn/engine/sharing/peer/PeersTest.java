package io.cairn.engine.sharing.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.GroupId;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.PeerSlots;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeersTest {
  private static final int CHUNK = 4096;
  private static final HolderId PEER = HolderId.of("peer", new PeerAddress("there", 1));

  @TempDir Path root;

  /** Answers greetings but some. */
  private static final class Greeters implements PeerTransport {
    private final Set<Integer> unanswered;
    private int asked;

    Greeters(Integer... unanswered) {
      this.unanswered = Set.of(unanswered);
    }

    @Override
    public PeerAddress address() {
      return new PeerAddress("here", 1);
    }

    @Override
    public CompletionStage<byte[]> ask(PeerAddress peer, byte[] request) {
      return unanswered.contains(asked++)
          ? CompletableFuture.failedFuture(new IOException("not yet"))
          : CompletableFuture.completedFuture(
              Wire.encode(new PeerReply.Greeting(PEER.toString(), "elsewhere", CHUNK, List.of())));
    }

    @Override
    public CompletionStage<Void> push(PeerAddress peer, byte[] header, ByteBuffer body) {
      return CompletableFuture.failedFuture(new IOException("nothing is pushed"));
    }

    @Override
    public void close() {}
  }

  @Test
  void whoDidNotAnswerOnceIsAskedAgainTheNextTime() throws IOException {
    try (SharedMemoryDevice device = SharedMemoryDevice.open(root, root, CHUNK);
        Peers peers = new Peers(new Greeters(0), device, "here", CHUNK, 3, found -> {})) {
      assertThat(peers.find(PEER.toString())).isCompletedExceptionally();
      assertThat(peers.find(PEER.toString())).isCompleted();
    }
  }

  /** A capture still used the slots of its leases, so it was not forgotten. */
  @Test
  void aPeerThatWasDeclaredDeadIsFoundAgainWhenItAnswers() throws IOException {
    List<Peers.Peer> found = new ArrayList<>();
    try (SharedMemoryDevice device = SharedMemoryDevice.open(root, root, CHUNK);
        Peers peers = new Peers(new Greeters(1, 2), device, "here", CHUNK, 2, found::add)) {
      assertThat(peers.find(PEER.toString())).isCompleted();
      peers.greetAgain();
      peers.greetAgain();
      assertThat(peers.gone()).hasSize(1);
      assertThat(found).hasSize(1);

      peers.greetAgain();

      assertThat(peers.gone()).isEmpty();
      assertThat(found).hasSize(2);
    }
  }

  /** A lender without a configured size takes memory for each rank that joins it. */
  @Test
  void slotsThatAPeerHasTakenSinceItsGreetingAreOpened() throws IOException {
    try (SharedMemoryDevice memory = SharedMemoryDevice.onDemand(root, root, 16L * CHUNK);
        ChunkCache cache = new ChunkCache(memory, CHUNK, 16L * CHUNK, memory, 0, CHUNK);
        SharedMemoryDevice device = SharedMemoryDevice.open(root, root, CHUNK);
        Peers peers = new Peers(new Exporting(cache), device, "elsewhere", CHUNK, 3, found -> {})) {
      assertThat(peers.find(PEER.toString())).isCompleted();
      cache.growth().expect(new GroupId("job", "run"), 0, 2);
      cache.growth().grow();

      assertThat(peers.openMore(PEER.toString(), List.of(0, 15))).isCompleted();

      PeerSlots slots = peers.known(PEER.toString()).orElseThrow().slots().orElseThrow();
      assertThat(slots.slots()).isEqualTo(16);
    }
  }

  /** Answers greetings with the slots that a cache has then. */
  private record Exporting(ChunkCache cache) implements PeerTransport {
    @Override
    public PeerAddress address() {
      return new PeerAddress("here", 1);
    }

    @Override
    public CompletionStage<byte[]> ask(PeerAddress peer, byte[] request) {
      List<PeerReply.Export> exports =
          cache.lentSlots().exports().stream()
              .map(
                  one ->
                      new PeerReply.Export(
                          one.firstSlot(), one.slots(), ByteBuffer.wrap(one.handle().encode())))
              .toList();
      return CompletableFuture.completedFuture(
          Wire.encode(new PeerReply.Greeting(PEER.toString(), "elsewhere", CHUNK, exports)));
    }

    @Override
    public CompletionStage<Void> push(PeerAddress peer, byte[] header, ByteBuffer body) {
      return CompletableFuture.failedFuture(new IOException("nothing is pushed"));
    }

    @Override
    public void close() {}
  }
}
