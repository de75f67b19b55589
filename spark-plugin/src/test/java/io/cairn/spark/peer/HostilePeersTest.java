package io.cairn.spark.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cairn.core.peer.Landings;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerTransport;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.server.RpcHandler;
import org.apache.spark.network.server.StreamManager;
import org.apache.spark.network.server.TransportServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that no peer of ours would send cost their sender its connection, and nobody else. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostilePeersTest {
  private static final String HOST = "127.0.0.1";

  private final Landings landings = new Landings();
  private PeerTransport server;

  HostilePeersTest() throws IOException {
    PeerLimits d = PeerLimits.DEFAULT;
    PeerLimits few =
        new PeerLimits(
            Duration.ofSeconds(1), d.answer(), d.push(), d.windowBytes(), d.maxWaiting(), 4, 4, 2);
    server = SparkPeerTransport.open(HOST, 0, landings, PeerSecurity.NONE, few);
  }

  @BeforeEach
  void othersAreServed() throws Exception {
    assertOthersAreServed();
  }

  @AfterEach
  void close() {
    server.close();
  }

  private void assertOthersAreServed() throws Exception {
    try (PeerTransport friend =
        SparkPeerTransport.open(HOST, 0, new Landings(), PeerSecurity.NONE, PeerLimits.DEFAULT)) {
      assertThat(friend.ask(server.address(), new byte[] {1, 2}).toCompletableFuture().get())
          .containsExactly(2, 1);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 8, 1L << 31, Long.MAX_VALUE})
  void anImpossibleLengthEndsTheConnection(long length) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().port())) {
      socket.getOutputStream().write(ByteBuffer.allocate(100).putLong(length).array());
      assertEnded(socket);
    }
    assertOthersAreServed();
  }

  private static void assertEnded(Socket socket) {
    try {
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    } catch (IOException reset) {
      assertThat(reset).hasMessageContaining("reset");
    }
  }

  @Test
  void aMessageLongerThanAnyIsCutOffWhileItComes() throws Exception {
    byte[] garbage = new byte[1 << 20];
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().port())) {
      OutputStream out = socket.getOutputStream();
      out.write(ByteBuffer.allocate(8).putLong(1L << 30).array());
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(
              () -> {
                for (int sent = 0; sent < 64; sent++) {
                  out.write(garbage);
                }
              });
    }
    assertOthersAreServed();
  }

  @Test
  void aStrangersSilenceEnds() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().port())) {
      assertEnded(socket);
    }
  }

  @Test
  void oneConnectionTooManyIsNotLetIn() throws Exception {
    List<RawClient> patient = List.of(raw(), raw(), raw(), raw());
    try (Socket fifth = new Socket(InetAddress.getLoopbackAddress(), server.address().port())) {
      for (RawClient each : patient) {
        assertThat(each.rpc(new byte[] {1})).succeedsWithin(30, TimeUnit.SECONDS);
      }
      assertEnded(fifth);
    } finally {
      patient.forEach(RawClient::close);
    }
  }

  private RawClient raw() throws Exception {
    RawClient raw = new RawClient(server.address());
    assertThat(raw.rpc(new byte[] {7})).succeedsWithin(30, TimeUnit.SECONDS);
    return raw;
  }

  @Test
  void aBodyOfAnotherLengthThanAnnouncedLandsNowhere() throws Exception {
    for (int announced : new int[] {99, 101}) {
      try (RawClient raw = new RawClient(server.address())) {
        CompletableFuture<ByteBuffer> answer =
            raw.upload(PeerFrame.announce(announced, new byte[] {'x'}), ByteBuffer.allocate(100));
        assertThat(answer).failsWithin(30, TimeUnit.SECONDS);
      }
      assertThat(landings.failed().poll(30, TimeUnit.SECONDS)).contains("of " + announced);
    }
    assertThat(landings.checksums()).isEmpty();
    assertOthersAreServed();
  }

  @Test
  void anAnnouncementThatIsNoneEndsTheConnection() throws Exception {
    ByteBuffer otherVersion = PeerFrame.announce(100, new byte[0]).put(0, (byte) 9);
    for (ByteBuffer announcement :
        List.of(
            ByteBuffer.allocate(0),
            otherVersion,
            PeerFrame.announce(-1, new byte[0]),
            PeerFrame.announce(PeerTransport.MAX_BODY_BYTES + 1L, new byte[0]),
            PeerFrame.announce(100, new byte[PeerTransport.MAX_HEADER_BYTES + 1]))) {
      try (RawClient raw = new RawClient(server.address())) {
        assertThat(raw.upload(announcement, ByteBuffer.allocate(100)))
            .failsWithin(30, TimeUnit.SECONDS);
        assertThat(raw.channel().closeFuture().await(30, TimeUnit.SECONDS)).isTrue();
      }
    }
    assertThat(landings.begun()).isEmpty();
    assertOthersAreServed();
  }

  /** A peer that was asked may not ask back over the same connection. */
  @Test
  void whoWasCalledIsNotAnswered() throws Exception {
    CompletableFuture<ByteBuffer> asked = new CompletableFuture<>();
    RpcHandler asksBack =
        new RpcHandler() {
          @Override
          public void receive(TransportClient client, ByteBuffer message, RpcResponseCallback no) {
            client.sendRpc(ByteBuffer.wrap(new byte[] {1, 2}), RawClient.into(asked));
          }

          @Override
          public StreamManager getStreamManager() {
            return new NoStreams();
          }
        };
    try (TransportContext context =
            new TransportContext(
                PeerConf.of(PeerSecurity.NONE, PeerLimits.DEFAULT), asksBack, false);
        TransportServer evil = context.createServer(HOST, 0, List.of())) {
      PeerAddress peer = new PeerAddress(HOST, evil.getPort());
      assertThat(server.ask(peer, new byte[] {1}).toCompletableFuture())
          .failsWithin(30, TimeUnit.SECONDS);
      assertThat(asked).failsWithin(30, TimeUnit.SECONDS);
    }
  }
}
