package io.cairn.engine.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.peer.Landings;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerTransport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bytes that no peer of ours would send cost their sender its connection, and nobody else. The
 * sender knows the secret.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostilePeersTest {
  private final Landings landings = new Landings();
  private PeerSecret secret = TcpPeerProcess.plain();
  private PeerTransport server = open(landings);

  HostilePeersTest() throws IOException {}

  private PeerTransport open(Landings service) throws IOException {
    return TcpPeerTransport.open("127.0.0.1", 0, secret, service, PeerLimits.DEFAULT);
  }

  /** For a test of records: the others are the same with them, and slower. */
  private void seal() throws IOException {
    server.close();
    secret = TcpPeerProcess.secret();
    server = open(landings);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private RawPeer raw(boolean pushes) throws IOException {
    return new RawPeer(
        server.address(),
        secret,
        pushes,
        (frame, header) -> new Gathered(frame.bodyBytes(), body -> {}));
  }

  private void assertOthersAreServed() throws Exception {
    try (PeerTransport friend = open(new Landings())) {
      assertThat(friend.ask(server.address(), new byte[] {1, 2}).toCompletableFuture().get())
          .containsExactly(2, 1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, Sealing.PLAIN_BYTES + 1, Integer.MAX_VALUE})
  void anImpossibleLengthOfARecordEndsTheConnection(int length) throws Exception {
    seal();
    try (RawPeer evil = raw(false)) {
      evil.raw(ByteBuffer.allocate(100).putInt(0, length));
      evil.awaitEnd();
    }
    assertOthersAreServed();
  }

  @ParameterizedTest
  @CsvSource({
    "true, 9, 0, 0",
    "true, 1, -1, 10",
    "true, 1, 65537, 10",
    "true, 1, 0, -1",
    "true, 1, 0, 268435457",
    "true, 0, 0, 1",
    "true, 2, 0, 0",
    "false, 0, 1, 1",
    "false, 0, 0, 4198401",
    "false, 1, 0, 1",
    "false, 3, 0, 1"
  })
  void aFrameThatIsNoneEndsTheConnection(boolean pushes, int kind, int header, int body)
      throws Exception {
    try (RawPeer evil = raw(pushes)) {
      evil.raw(
          ByteBuffer.allocate(Frame.BYTES)
              .put((byte) kind)
              .putLong(1)
              .putInt(header)
              .putInt(body)
              .flip());
      evil.awaitEnd();
    }
    assertThat(landings.begun()).isEmpty();
    assertOthersAreServed();
  }

  @Test
  void aRecordOfAnotherKeyEndsTheConnection() throws Exception {
    seal();
    ByteBuffer record = ByteBuffer.allocate(Sealing.RECORD_BYTES);
    new Sealing(new byte[PeerSecret.PROOF_BYTES], 0).seal(ByteBuffer.allocate(30), record);
    try (RawPeer evil = raw(true)) {
      evil.raw(record.flip());
      evil.awaitEnd();
    }
    assertThat(landings.begun()).isEmpty();
    assertOthersAreServed();
  }

  @Test
  void aPushThatEndsEarlyLandsNowhere() throws Exception {
    ByteBuffer begin = ByteBuffer.allocate(Frame.BYTES + 99);
    new Frame(Frame.Kind.PUSH, 1, 0, 100).put(begin);
    try (RawPeer evil = raw(true)) {
      evil.raw(begin.rewind());
    }
    assertThat(landings.failed().poll(30, TimeUnit.SECONDS)).contains("99 of 100");
    assertThat(landings.checksums()).isEmpty();
    assertOthersAreServed();
  }
}
