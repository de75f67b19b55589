package io.cairn.engine.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.cache.memory.Until;
import io.cairn.core.peer.Landings;
import io.cairn.core.peer.PeerLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
}
