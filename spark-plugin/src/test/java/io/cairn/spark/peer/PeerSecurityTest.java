package io.cairn.spark.peer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cairn.core.peer.Landings;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException;
import io.cairn.core.peer.PeerException.Reason;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.peer.PeerTransport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** A peer that is not authenticated receives nothing, however it connects. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerSecurityTest {
  private static final String HOST = "127.0.0.1";
  private static final String CONTENT = "the weights of the third layer";

  private final Witness witness = new Witness();
  private final List<PeerTransport> opened = new ArrayList<>();

  /** Knows whether anything of anybody came through. */
  private static final class Witness extends Landings {
    private final AtomicInteger calls = new AtomicInteger();

    @Override
    public CompletionStage<byte[]> answer(byte[] request) {
      calls.incrementAndGet();
      return super.answer(request);
    }

    @Override
    public PeerSink receive(byte[] header, long bytes) throws IOException {
      calls.incrementAndGet();
      return super.receive(header, bytes);
    }
  }

  @AfterEach
  void closeAll() {
    opened.forEach(PeerTransport::close);
  }

  private PeerTransport open(PeerSecurity security) throws IOException {
    PeerTransport transport =
        SparkPeerTransport.open(HOST, 0, witness, security, PeerLimits.DEFAULT);
    opened.add(transport);
    return transport;
  }

  private void assertGetsNothing(PeerTransport stranger, PeerAddress peer, Reason... expected) {
    ByteBuffer body = ByteBuffer.allocateDirect(100_000);
    for (CompletionStage<?> call :
        List.of(
            stranger.ask(peer, CONTENT.getBytes(UTF_8)), stranger.push(peer, new byte[0], body))) {
      assertThatExceptionOfType(ExecutionException.class)
          .isThrownBy(() -> call.toCompletableFuture().get())
          .havingCause()
          .isInstanceOfSatisfying(
              PeerException.class, e -> assertThat(e.reason()).as("%s", e).isIn(List.of(expected)));
    }
    assertThat(witness.calls).hasValue(0);
  }

  private void assertServed(PeerTransport friend, PeerAddress peer) throws Exception {
    assertThat(friend.ask(peer, new byte[] {1, 2}).toCompletableFuture().get())
        .containsExactly(2, 1);
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "OPEN")
  void aWrongSecretGetsNothing(TestSecurity security) throws Exception {
    PeerAddress peer = open(security.with(TestSecurity.SECRET)).address();
    assertGetsNothing(open(security.with("a guess")), peer, Reason.UNREACHABLE);
    assertServed(open(security.with(TestSecurity.SECRET)), peer);
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "OPEN")
  void noSecretGetsNothing(TestSecurity security) throws Exception {
    PeerAddress peer = open(security.with(TestSecurity.SECRET)).address();
    assertGetsNothing(open(PeerSecurity.NONE), peer, Reason.LOST, Reason.UNREACHABLE);
    assertServed(open(security.with(TestSecurity.SECRET)), peer);
  }

  @ParameterizedTest
  @EnumSource
  void nobodyIsServedChunksOrStreams(TestSecurity security) throws Exception {
    PeerAddress peer = open(security.with(TestSecurity.SECRET)).address();
    try (RawClient raw = new RawClient(peer)) {
      assertThat(raw.chunk()).failsWithin(30, TimeUnit.SECONDS);
      assertThat(raw.stream("/jars/secrets.jar")).failsWithin(30, TimeUnit.SECONDS);
    }
    assertThat(witness.calls).hasValue(0);
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "OPEN")
  void whatWantsNoAnswerIsNotHeard(TestSecurity security) throws Exception {
    PeerAddress peer = open(security.with(TestSecurity.SECRET)).address();
    try (RawClient raw = new RawClient(peer)) {
      raw.oneWay(CONTENT.getBytes(UTF_8));
      assertThat(raw.rpc(CONTENT.getBytes(UTF_8))).failsWithin(30, TimeUnit.SECONDS);
    }
    assertThat(witness.calls).hasValue(0);
  }

  @Test
  void theStrongerHandshakeIsNeverGivenUp() throws Exception {
    PeerAddress strong = open(TestSecurity.CRYPTO.with(TestSecurity.SECRET)).address();
    PeerTransport weaker = open(TestSecurity.SASL.with(TestSecurity.SECRET));
    assertGetsNothing(weaker, strong, Reason.UNREACHABLE);
    PeerTransport stronger = open(TestSecurity.CRYPTO.with(TestSecurity.SECRET));
    assertGetsNothing(stronger, weaker.address(), Reason.UNREACHABLE);
  }

  @Test
  void whereSaslEncryptsNobodySpeaksInTheClear() throws Exception {
    PeerAddress strong = open(TestSecurity.SASL_ENCRYPTED.with(TestSecurity.SECRET)).address();
    PeerTransport clear = open(TestSecurity.SASL.with(TestSecurity.SECRET));
    assertGetsNothing(clear, strong, Reason.UNREACHABLE);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsEncryptedCannotBeOverheard(TestSecurity security) throws Exception {
    PeerAddress peer = open(security.with(TestSecurity.SECRET)).address();
    PeerTransport friend = open(security.with(TestSecurity.SECRET));
    try (Relay relay = new Relay(peer)) {
      assertServed(friend, relay.address());
      friend
          .push(relay.address(), "h".getBytes(UTF_8), ByteBuffer.wrap(CONTENT.getBytes(UTF_8)))
          .toCompletableFuture()
          .get();
      boolean encrypted =
          security == TestSecurity.CRYPTO || security == TestSecurity.SASL_ENCRYPTED;
      assertThat(relay.overheard().contains(CONTENT)).isEqualTo(!encrypted);
    }
    assertThat(witness.checksums())
        .containsEntry("h", Landings.checksum(ByteBuffer.wrap(CONTENT.getBytes(UTF_8))));
  }
}
