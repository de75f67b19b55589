package io.cairn.spark.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException;
import io.cairn.core.peer.PeerException.Reason;
import io.cairn.core.peer.PeerLimits;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.client.TransportClientFactory;
import org.apache.spark.network.client.TransportResponseHandler;
import org.apache.spark.network.protocol.RpcResponse;
import org.apache.spark.network.protocol.UploadStream;
import org.junit.jupiter.api.Test;

/** The calls that a link sends over its connection, and their order. */
class LinkTest {
  private static final PeerAddress PEER = new PeerAddress("peer", 1);
  private static final PeerLimits LIMITS = limits(1000, 6);

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final TransportResponseHandler responses = new TransportResponseHandler(channel);
  private final TransportClient client = new TransportClient(channel, responses);
  private final List<Link> ended = new ArrayList<>();
  private final List<Error> errors = new ArrayList<>();
  private final List<Long> requests = new ArrayList<>();
  private final Link link = new Link(PEER, LIMITS, ended::add, errors::add);

  private static PeerLimits limits(long windowBytes, int maxWaiting) {
    PeerLimits d = PeerLimits.DEFAULT;
    return new PeerLimits(
        d.connect(), d.answer(), d.push(), windowBytes, maxWaiting, 4, 4, d.threads());
  }

  private Call push(int bytes) {
    Call call = Call.push(PEER, new byte[0], ByteBuffer.allocate(bytes), LIMITS);
    assertThat(link.submit(call)).isTrue();
    return call;
  }

  /** Lengths of the bodies that were handed to the connection since the last time. */
  private List<Long> written() {
    List<Long> lengths = new ArrayList<>();
    for (UploadStream each = next(); each != null; each = next()) {
      lengths.add(each.bodyByteCount);
      requests.add(each.requestId);
    }
    return lengths;
  }

  private UploadStream next() {
    channel.runPendingTasks();
    return channel.readOutbound();
  }

  private void answerFirst(ByteBuffer reply) throws Exception {
    responses.handle(new RpcResponse(requests.remove(0), new NioManagedBuffer(reply)));
  }

  private static Reason reason(Call call) {
    return call.answer().handle((answer, e) -> ((PeerException) e).reason()).join();
  }

  @Test
  void theWindowHoldsBackWhatIsTooMuch() throws Exception {
    link.opened(client);
    List<Call> calls = List.of(push(400), push(400), push(400), push(100));
    assertThat(written()).containsExactly(400L, 400L);
    answerFirst(PeerFrame.done(new byte[0]));
    assertThat(calls.get(0).answer()).isCompleted();
    assertThat(written()).containsExactly(400L, 100L);
    answerFirst(PeerFrame.refused("no room"));
    assertThat(reason(calls.get(1))).isEqualTo(Reason.REFUSED);
    assertThat(calls.get(2).answer()).isNotDone();
  }

  @Test
  void aBodyLongerThanTheWindowGoesAlone() throws Exception {
    link.opened(client);
    push(1);
    push(5000);
    push(1);
    assertThat(written()).containsExactly(1L);
    answerFirst(PeerFrame.done(new byte[0]));
    assertThat(written()).containsExactly(5000L);
    answerFirst(PeerFrame.done(new byte[0]));
    assertThat(written()).containsExactly(1L);
  }

  @Test
  void callsWaitForTheConnectionUpToTheirNumber() {
    List<Call> calls = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      calls.add(push(10));
    }
    assertThat(reason(push(10))).isEqualTo(Reason.OVERLOADED);
    assertThat(written()).isEmpty();
    link.opened(client);
    assertThat(written()).hasSize(6);
    assertThat(calls).noneMatch(call -> call.answer().isDone());
  }

  @Test
  void theEndOfTheConnectionFailsAllAndNothingIsSubmittedAnyMore() {
    link.opened(client);
    List<Call> calls = List.of(push(900), push(900));
    assertThat(channel.close().isSuccess()).isTrue();
    assertThat(calls).extracting(LinkTest::reason).containsOnly(Reason.LOST);
    assertThat(ended).containsExactly(link);
    assertThat(link.quiet()).isCompleted();
    assertThat(link.submit(Call.question(PEER, new byte[0], LIMITS))).isFalse();
  }

  @Test
  void aConnectionThatComesTooLateIsClosed() {
    Call call = push(10);
    link.end(Reason.CLOSED, "this transport is closed");
    assertThat(reason(call)).isEqualTo(Reason.CLOSED);
    link.opened(client);
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void anErrorInConnectingFailsTheCallsAndGoesNoFurther() {
    Error error = new NoClassDefFoundError("io/netty/channel/Missing");
    TransportContext context =
        new TransportContext(PeerConf.of(PeerSecurity.NONE, LIMITS), new NoService(), false);
    TransportClientFactory failing =
        new TransportClientFactory(context, List.of()) {
          @Override
          public TransportClient createUnmanagedClient(String host, int port) {
            throw error;
          }
        };
    Call call = push(10);

    link.connect(failing);

    assertThat(call.answer()).isCompletedExceptionally();
    assertThat(ended).containsExactly(link);
    assertThat(errors).containsExactly(error);
    failing.close();
  }

  @Test
  void aReplyThatIsNoneEndsTheConnection() throws Exception {
    link.opened(client);
    Call call = push(10);
    assertThat(written()).hasSize(1);
    answerFirst(ByteBuffer.wrap(new byte[] {7}));
    assertThat(reason(call)).isEqualTo(Reason.LOST);
    assertThat(channel.isOpen()).isFalse();
  }
}
