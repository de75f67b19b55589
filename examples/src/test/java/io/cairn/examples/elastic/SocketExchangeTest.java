package io.cairn.examples.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ranks that meet over sockets, and others that should not. */
@Timeout(60)
class SocketExchangeTest {
  private static final String SECRET = "a secret of the test";
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private SocketExchange hub;
  private Future<List<ByteBuffer>> gathered;

  @BeforeEach
  void serveTwo() throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    hub = SocketExchange.host(any, 2, SECRET, PATIENCE);
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

  private SocketExchange join(int ranks, String secret) {
    return SocketExchange.join(hub.address(), 1, ranks, secret, PATIENCE);
  }

  @Test
  void eachRankReceivesTheBlocksOfAllInTheirOrder() throws Exception {
    try (SocketExchange other = join(2, SECRET)) {
      assertThat(other.allGather(block(2, 3))).containsExactly(block(1), block(2, 3));
      assertThat(gathered.get()).containsExactly(block(1), block(2, 3));

      Future<List<ByteBuffer>> next = threads.submit(() -> hub.allGather(block()));
      assertThat(other.allGather(block(4))).containsExactly(block(), block(4));
      assertThat(next.get()).containsExactly(block(), block(4));
    }
  }

  @Test
  void aRankWithAnotherSecretIsRefused() throws Exception {
    try (SocketExchange stranger = join(2, "another secret of 30 letters")) {
      assertThatThrownBy(() -> stranger.allGather(block(9)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("give all ranks the same secret");
    }
    eachRankReceivesTheBlocksOfAllInTheirOrder();
  }

  @Test
  void aRankOfAnotherNumberOfRanksIsRefused() throws Exception {
    try (SocketExchange stranger = join(3, SECRET)) {
      assertThatThrownBy(() -> stranger.allGather(block(9))).isInstanceOf(IOException.class);
    }
    eachRankReceivesTheBlocksOfAllInTheirOrder();
  }

  @Test
  void theLossOfARankEndsTheCallsOfTheOthers() throws Exception {
    try (SocketExchange other = join(2, SECRET)) {
      other.allGather(block(2));
      gathered.get();
    }
    assertThatThrownBy(() -> hub.allGather(block(1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("lost the others");
    assertThatThrownBy(() -> hub.allGather(block(1))).hasMessageContaining("has ended");
  }

  @Test
  void aBlockThatIsTooLongIsRefusedBeforeItIsRead() throws Exception {
    try (Socket socket = new Socket(hub.address().getAddress(), hub.address().getPort())) {
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      new ExchangeGreeting(1, 2, SECRET).ask(new DataInputStream(socket.getInputStream()), out);
      out.writeInt(Integer.MAX_VALUE);
      assertThatThrownBy(() -> gathered.get())
          .isInstanceOf(ExecutionException.class)
          .hasMessageContaining("announced a block of 2147483647 bytes");
    }
    assertThatThrownBy(() -> hub.allGather(ByteBuffer.allocate(RankExchange.MOST_BLOCK_BYTES + 1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aSilentConnectionKeepsNobodyFromMeeting() throws Exception {
    InetSocketAddress at = hub.address();
    try (Socket silent = new Socket(at.getAddress(), at.getPort())) {
      assertThat(silent.isConnected()).isTrue();
      eachRankReceivesTheBlocksOfAllInTheirOrder();
    }
  }

  /** Each sends a byte now and then, so that no read of it takes long. */
  @Test
  void strangersThatDripKeepNobodyFromMeeting() throws Exception {
    InetSocketAddress at = hub.address();
    AtomicBoolean over = new AtomicBoolean();
    List<Future<?>> dripping = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      dripping.add(threads.submit(() -> drip(at, over)));
    }
    try {
      eachRankReceivesTheBlocksOfAllInTheirOrder();
    } finally {
      over.set(true);
    }
    for (Future<?> one : dripping) {
      one.get();
    }
  }

  private static void drip(InetSocketAddress at, AtomicBoolean over) {
    while (!over.get()) {
      try (Socket socket = new Socket(at.getAddress(), at.getPort())) {
        socket.setSoTimeout(500);
        socket.getInputStream().readNBytes(32);
        while (!over.get()) {
          socket.getOutputStream().write(0);
          awaitEnd(socket);
        }
      } catch (IOException e) {
        // it was refused, and comes again
      }
    }
  }

  private static void awaitEnd(Socket socket) throws IOException {
    try {
      if (socket.getInputStream().read() < 0) {
        throw new IOException("refused");
      }
    } catch (SocketTimeoutException e) {
      // it drips on
    }
  }

  /** Its process was stopped, or its machine is gone. */
  @Test
  void aRankThatReadsNothingEndsTheCall() throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (SocketExchange impatient = SocketExchange.host(any, 2, SECRET, Duration.ofSeconds(2));
        Socket socket = new Socket()) {
      Future<List<ByteBuffer>> call =
          threads.submit(
              () -> impatient.allGather(ByteBuffer.allocate(RankExchange.MOST_BLOCK_BYTES)));
      socket.connect(impatient.address());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      new ExchangeGreeting(1, 2, SECRET).ask(new DataInputStream(socket.getInputStream()), out);
      out.writeInt(0);
      out.flush();

      assertThatThrownBy(() -> call.get(40, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasMessageContaining("lost the others");
    }
  }

  @Test
  void aShortSecretIsRefused() {
    assertThatThrownBy(() -> join(2, "short"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least 16");
  }
}
