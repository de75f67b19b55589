package io.cairn.engine.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.peer.PeerException;
import io.cairn.core.peer.PeerException.Reason;
import io.cairn.core.peer.PeerLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The calls that a link sends over its connection, and their order. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WindowTest {
  /** Long after a frame that is sent at all has come. */
  private static final long NOTHING_MILLIS = 300;

  private final RawServer server = new RawServer();
  private final TcpPeerClient client = new TcpPeerClient(TcpPeerProcess.plain(), limits(1000, 6));

  WindowTest() throws IOException {}

  @AfterEach
  void close() throws IOException {
    client.close();
    server.close();
  }

  private static PeerLimits limits(long windowBytes, int maxWaiting) {
    PeerLimits d = PeerLimits.DEFAULT;
    return new PeerLimits(d.connect(), d.answer(), d.push(), windowBytes, maxWaiting, 4, 4);
  }

  private CompletableFuture<Void> push(int bytes) {
    return client
        .push(server.address(), new byte[0], ByteBuffer.allocate(bytes))
        .toCompletableFuture();
  }

  private Frame arrived(int bytes) throws InterruptedException {
    Frame frame = Objects.requireNonNull(server.next(30_000));
    assertThat(frame.bodyBytes()).isEqualTo(bytes);
    return frame;
  }

  private static Reason reason(CompletableFuture<?> call) {
    return call.handle((taken, failure) -> ((PeerException) failure).reason()).join();
  }

  @Test
  void theWindowHoldsBackWhatIsTooMuch() throws Exception {
    List<CompletableFuture<Void>> calls = List.of(push(400), push(400), push(400), push(100));
    Frame first = arrived(400);
    Frame second = arrived(400);
    assertThat(server.next(NOTHING_MILLIS)).isNull();

    server.reply(Frame.Kind.DONE, first.number(), new byte[0]);

    calls.get(0).get(30, TimeUnit.SECONDS);
    arrived(400);
    arrived(100);
    server.reply(Frame.Kind.REFUSED, second.number(), new byte[] {'n', 'o'});
    assertThat(reason(calls.get(1))).isEqualTo(Reason.REFUSED);
    assertThat(calls.get(2)).isNotDone();
  }

  @Test
  void aBodyLongerThanTheWindowGoesAlone() throws Exception {
    List<CompletableFuture<Void>> calls = List.of(push(1), push(5000), push(1));
    for (int bytes : new int[] {1, 5000, 1}) {
      Frame alone = arrived(bytes);
      assertThat(server.next(NOTHING_MILLIS)).isNull();
      server.reply(Frame.Kind.DONE, alone.number(), new byte[0]);
    }
    for (CompletableFuture<Void> each : calls) {
      each.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void callsWaitUpToTheirNumber() throws Exception {
    List<CompletableFuture<Void>> calls = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      calls.add(push(10));
    }

    assertThat(reason(push(10))).isEqualTo(Reason.OVERLOADED);

    for (int i = 0; i < 6; i++) {
      arrived(10);
    }
    assertThat(calls).noneMatch(CompletableFuture::isDone);
  }

  /** A peer that was asked may not ask back over the same connection. */
  @Test
  void aServerThatAsksIsLeft() throws Exception {
    CompletableFuture<Void> call = push(10);
    arrived(10);

    server.reply(Frame.Kind.QUESTION, 1, new byte[] {1});

    assertThat(reason(call)).isEqualTo(Reason.LOST);
  }
}
