package io.cairn.engine.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.cache.memory.Until;
import io.cairn.core.peer.Landings;
import io.cairn.core.peer.PeerLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server bounds the cost of senders that prove nothing yet, and lets those in that are slow. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StrangersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final PeerSecret PLAIN = PeerSecret.derived("one", false, "the secret of a test");
  private static final byte[] QUESTION = {1, 2};

  private final AtomicLong clock = new AtomicLong();
  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  private TcpPeerTransport serve(PeerSecret secret, int connections, LongSupplier nanoTime)
      throws IOException {
    PeerLimits d = PeerLimits.DEFAULT;
    PeerLimits limits =
        new PeerLimits(
            d.connect(),
            d.answer(),
            d.push(),
            d.windowBytes(),
            d.maxWaiting(),
            connections,
            d.maxQuestions());
    TcpPeerTransport serving =
        TcpPeerTransport.open("127.0.0.1", 0, secret, new Landings(), limits, nanoTime);
    opened.add(serving);
    return serving;
  }

  private Socket connect(TcpPeerTransport to) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), to.address().port());
    opened.add(socket);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    return socket;
  }

  /** Such as the executors of a large stage, whose classes are not loaded yet. */
  @Test
  void aHerdThatKnowsTheSecretIsLetIn() throws Exception {
    int herd = 1000;
    TcpPeerTransport serving = serve(PLAIN, herd, clock::get);
    List<Socket> all = new ArrayList<>();
    for (int i = 0; i < herd; i++) {
      all.add(connect(serving));
    }
    Until.holds(() -> serving.strangers() == herd);

    for (Socket each : all) {
      Session unused = Greeting.exchange(each, PLAIN, null, false, PATIENCE);
    }

    Until.holds(() -> serving.strangers() == 0);
  }

  /** To make one takes longer than all else that a stranger can ask for. */
  @Test
  void strangersCostOneShareASecond() throws Exception {
    TcpPeerTransport serving = serve(TcpPeerProcess.secret(), 10, clock::get);
    byte[] first = hello(serving);
    byte[] second = hello(serving);
    clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
    byte[] later = hello(serving);

    assertThat(Hello.share(second)).isEqualTo(Hello.share(first));
    assertThat(Hello.share(later)).isNotEqualTo(Hello.share(first));
    assertThat(second).isNotEqualTo(first);
  }

  private byte[] hello(TcpPeerTransport serving) throws IOException {
    Socket stranger = connect(serving);
    stranger.getOutputStream().write(Hello.begin(Hello.Role.Q, KeyShare.fresh()));
    return stranger.getInputStream().readNBytes(Hello.SERVER_BYTES);
  }

  /** Such as for lack of a file: the clock stands for all that the thread needs. */
  @Test
  void aConnectionThatCannotBeServedTakesNoPlace() throws Exception {
    AtomicBoolean lacking = new AtomicBoolean();
    TcpPeerTransport serving =
        serve(
            PLAIN,
            2,
            () -> {
              if (lacking.get() && isStarting()) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              return System.nanoTime();
            });
    TcpPeerClient client = new TcpPeerClient(PLAIN, PeerLimits.DEFAULT);
    opened.add(client);
    lacking.set(true);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> push(client, serving)).hasMessageContaining("the connection");
    }
    lacking.set(false);

    push(client, serving);
    assertThat(client.ask(serving.address(), QUESTION).toCompletableFuture().get())
        .containsExactly(2, 1);
  }

  private static void push(TcpPeerClient client, TcpPeerTransport to) throws Exception {
    client.push(to.address(), QUESTION, ByteBuffer.allocate(1)).toCompletableFuture().get();
  }

  private static boolean isStarting() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames.anyMatch(
                    frame ->
                        frame.getClassName().equals(NetLoop.class.getName())
                            && frame.getMethodName().equals("<init>")));
  }
}
