package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.wire.NodeSite;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NodeFileTest {
  private static final int LENGTH = (5 << 20) / 2;
  private static final ContainerSummary CONTAINER =
      new ContainerSummary("writer-r00000.chunks", LENGTH, Digest.of(new byte[0]), List.of(0));
  private static final NodeSite SITE = new NodeSite("a1", "a:/node", "a", new PeerAddress("a", 1));

  private final byte[] content = new byte[LENGTH];
  private final AtomicLong readBytes = new AtomicLong();

  NodeFileTest() {
    new Random(3).nextBytes(content);
  }

  private CompletionStage<PeerReply> piece(PeerRequest.ReadNode read) {
    return CompletableFuture.completedFuture(
        new PeerReply.Piece(ByteBuffer.wrap(content, (int) read.offset(), read.bytes())));
  }

  private static AnsweringPeers peers(
      Function<PeerRequest.ReadNode, CompletionStage<PeerReply>> behaviour) {
    return new AnsweringPeers((peer, question) -> behaviour.apply((PeerRequest.ReadNode) question));
  }

  private NodeFile file(AnsweringPeers peers) {
    return new NodeFile(
        new Asking(peers, Duration.ofMillis(200)),
        SITE,
        Level.NODE,
        new CheckpointId(new GroupId("job", "run"), 1, 1),
        "00000000-0000-4000-8000-000000000000",
        CONTAINER.file(),
        CONTAINER.bytes(),
        readBytes::addAndGet);
  }

  @Test
  void aLongReadComesInPieces() throws IOException {
    AnsweringPeers peers = peers(this::piece);
    ByteBuffer into = ByteBuffer.allocate(LENGTH - 10);

    NodeFile file = file(peers);
    file.readFully(10, into);
    file.close();

    assertThat(into.flip()).isEqualTo(ByteBuffer.wrap(content, 10, LENGTH - 10));
    assertThat(peers.asked).hasSize(3);
    assertThat(readBytes).hasValue(LENGTH - 10);
  }

  @Test
  void aLostNodeCostsOneWait() {
    AnsweringPeers peers = peers(read -> new CompletableFuture<>());
    NodeFile file = file(peers);

    for (int read = 0; read < 5; read++) {
      assertThatThrownBy(() -> file.readFully(0, ByteBuffer.allocate(10)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("a:/node");
    }

    assertThat(peers.asked).hasSize(1);
  }

  @Test
  void aPieceOfAnotherLengthIsRefused() {
    NodeFile file =
        file(
            peers(
                read ->
                    CompletableFuture.completedFuture(
                        new PeerReply.Piece(ByteBuffer.allocate(Math.max(1, read.bytes() / 2))))));

    assertThatThrownBy(() -> file.readFully(0, ByteBuffer.allocate(10)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("sent 5 bytes");
  }

  @Test
  void nothingBeyondTheEndIsAskedFor() {
    AnsweringPeers peers = peers(this::piece);

    assertThatThrownBy(() -> file(peers).readFully(LENGTH - 9, ByteBuffer.allocate(10)))
        .isInstanceOf(EOFException.class);

    assertThat(peers.asked).isEmpty();
  }
}
