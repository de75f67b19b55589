package io.cairn.examples.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerService;
import io.cairn.engine.net.PeerSecret;
import io.cairn.engine.net.TcpPeerClient;
import io.cairn.engine.net.TcpPeerTransport;
import io.cairn.process.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ranks that meet at rank 0, and others that should not. */
@Timeout(60)
class PeerExchangeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String HOST = InetAddress.getLoopbackAddress().getHostAddress();

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private PeerExchange hub;
  private Future<List<ByteBuffer>> gathered;

  @BeforeEach
  void serveTwo() throws IOException {
    hub = PeerExchange.host(HOST, 0, 2, PATIENCE);
    gathered = threads.submit(() -> hub.allGather(block(1)));
  }

  @AfterEach
  void end() {
    hub.close();
    threads.shutdownNow();
  }

  private static ByteBuffer block(int... bytes) {
    ByteBuffer block = ByteBuffer.allocate(bytes.length);
    for (int each : bytes) {
      block.put((byte) each);
    }
    return block.flip();
  }

  private PeerExchange join(int rank, int ranks) throws IOException {
    return PeerExchange.join(hub.address(), rank, ranks, PATIENCE);
  }

  @Test
  void eachRankReceivesTheBlocksOfAllInTheirOrder() throws Exception {
    try (PeerExchange other = join(1, 2)) {
      assertThat(other.allGather(block(2, 3))).containsExactly(block(1), block(2, 3));
      assertThat(gathered.get()).containsExactly(block(1), block(2, 3));

      Future<List<ByteBuffer>> next = threads.submit(() -> hub.allGather(block()));
      assertThat(other.allGather(block(4))).containsExactly(block(), block(4));
      assertThat(next.get()).containsExactly(block(), block(4));
    }
  }

  @Test
  void asManyRanksAsThereCanBeGiveTheirLongestBlocks() throws Exception {
    int ranks = PeerExchange.MOST_RANKS;
    ByteBuffer longest = ByteBuffer.allocate(RankExchange.MOST_BLOCK_BYTES);
    try (PeerExchange full = PeerExchange.host(HOST, 0, ranks, PATIENCE)) {
      List<PeerExchange> others = new ArrayList<>();
      for (int rank = 1; rank < ranks; rank++) {
        PeerExchange other = PeerExchange.join(full.address(), rank, ranks, PATIENCE);
        others.add(other);
        var unused = threads.submit(() -> other.allGather(longest));
      }
      assertThat(full.allGather(longest)).hasSize(ranks).allMatch(longest::equals);
      others.forEach(PeerExchange::close);
    }
    assertThatThrownBy(() -> PeerExchange.host(HOST, 0, ranks + 1, PATIENCE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aRankWaitsForRankZero() throws Exception {
    int port = FreePort.find();
    try (PeerExchange early = PeerExchange.join(new PeerAddress(HOST, port), 1, 2, PATIENCE)) {
      Future<List<ByteBuffer>> waiting = threads.submit(() -> early.allGather(block(2)));
      try (PeerExchange late = PeerExchange.host(HOST, port, 2, PATIENCE)) {
        assertThat(late.allGather(block(1))).containsExactly(block(1), block(2));
        assertThat(waiting.get()).containsExactly(block(1), block(2));
      }
    }
  }

  @Test
  void aRankOfAnotherNumberOfRanksIsRefused() throws Exception {
    try (PeerExchange stranger = join(1, 3)) {
      assertThatIOException()
          .isThrownBy(() -> stranger.allGather(block(9)))
          .withMessageContaining("rank 1 of 3 came, and this exchange has 2");
    }
    eachRankReceivesTheBlocksOfAllInTheirOrder();
  }

  @Test
  void aSecondProcessOfARankIsRefusedAndEndsNothing() throws Exception {
    try (PeerExchange first = join(1, 2)) {
      first.allGather(block(2));
      gathered.get();
      try (PeerExchange second = join(1, 2)) {
        assertThatIOException()
            .isThrownBy(() -> second.allGather(block(9)))
            .withMessageContaining("another process is rank 1");
      }

      Future<List<ByteBuffer>> next = threads.submit(() -> hub.allGather(block(1)));
      assertThat(first.allGather(block(3))).containsExactly(block(1), block(3));
      assertThat(next.get()).containsExactly(block(1), block(3));
    }
  }

  /** A server ends a connection on which nothing comes for long. */
  @Test
  void aRankShowsAgainThatItIsThereWithoutACall() throws Exception {
    Semaphore questions = new Semaphore(0);
    PeerSecret secret = PeerSecret.of(Optional.empty());
    try (TcpPeerClient toHub = new TcpPeerClient(secret, PeerLimits.DEFAULT);
        TcpPeerTransport between =
            TcpPeerTransport.open(
                HOST,
                0,
                secret,
                new PeerService() {
                  @Override
                  public CompletionStage<byte[]> answer(byte[] question) {
                    questions.release();
                    return toHub.ask(hub.address(), question);
                  }
                },
                PeerLimits.DEFAULT);
        PeerExchange other = PeerExchange.join(between.address(), 1, 2, Duration.ofSeconds(2))) {
      other.allGather(block(2));
      gathered.get();

      questions.acquire(5);

      Future<List<ByteBuffer>> next = threads.submit(() -> hub.allGather(block(1)));
      assertThat(other.allGather(block(3))).containsExactly(block(1), block(3));
      assertThat(next.get()).containsExactly(block(1), block(3));
    }
  }

  /** It left between two calls, when no answer of it is awaited. */
  @Test
  void theLossOfARankEndsTheCallsOfTheOthers() throws Exception {
    try (PeerExchange other = join(1, 2)) {
      other.allGather(block(2));
      gathered.get();
    }
    assertThatIOException()
        .isThrownBy(() -> hub.allGather(block(1)))
        .withMessageContaining("rank 0 of 2 lost the others")
        .withMessageContaining("rank 1 left");
    assertThatIOException()
        .isThrownBy(() -> hub.allGather(block(1)))
        .withMessageContaining("has ended");
  }

  @Test
  void theLossOfRankZeroEndsTheCallsOfTheOthers() throws Exception {
    try (PeerExchange other = join(1, 2)) {
      other.allGather(block(2));
      hub.close();

      assertThatIOException()
          .isThrownBy(() -> other.allGather(block(2)))
          .withMessageContaining("rank 1 of 2 lost the others");
    }
  }

  @Test
  void aSilentRankEndsTheCall() throws Exception {
    try (PeerExchange impatient = PeerExchange.host(HOST, 0, 2, Duration.ofMillis(50))) {
      assertThatIOException()
          .isThrownBy(() -> impatient.allGather(block(1)))
          .withMessageContaining("not all ranks gave a block within");
    }
  }

  @Test
  void aBlockThatIsTooLongIsRefused() {
    ByteBuffer longer = ByteBuffer.allocate(RankExchange.MOST_BLOCK_BYTES + 1);
    assertThatThrownBy(() -> hub.allGather(longer)).isInstanceOf(IllegalArgumentException.class);
  }
}
