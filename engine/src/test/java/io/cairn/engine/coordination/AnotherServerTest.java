package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.model.Ancestry;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.Origin;
import io.cairn.core.wire.ExchangeReply;
import io.cairn.core.wire.ExchangeReply.ToMember;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.core.wire.Wire;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server ends, and another one serves at its place without knowing anybody. */
@Timeout(60)
class AnotherServerTest {
  private static final Member MEMBER = new Member(new GroupId("job", "pair"), 0, 2);
  private static final MemberMessage.Join JOIN =
      new MemberMessage.Join(0, 2, "incarnation", new Origin("birth", 0));

  private final BlockingQueue<MemberMessage> arrived = new LinkedBlockingQueue<>();
  private final BlockingQueue<CoordinatorMessage> inbox = new LinkedBlockingQueue<>();

  /** Guarded by this test, as the next two. */
  private final Set<String> known = new HashSet<>();

  private final Queue<CoordinatorMessage> toSend = new ArrayDeque<>();
  private long sent;
  private boolean gone;

  /** The request of the process that waits for messages. */
  private CompletableFuture<byte[]> held = CompletableFuture.completedFuture(new byte[0]);

  private final RemoteCoordination remote = new RemoteCoordination("p", "", "", this::answer);
  private final Coordination.Link link = remote.connect(MEMBER, "incarnation", inbox::add);

  private synchronized CompletionStage<byte[]> answer(byte[] bytes) {
    if (gone) {
      return CompletableFuture.failedFuture(
          new PeerException(
              new PeerAddress("nobody", 1),
              PeerException.Reason.UNREACHABLE,
              "a question",
              "nobody serves here"));
    }
    ExchangeRequest request = Wire.decode(bytes, ExchangeRequest.class);
    if (request instanceof ExchangeRequest.Register) {
      known.add(request.executor());
      return reply(new ExchangeReply.Registered());
    } else if (!known.contains(request.executor())) {
      return reply(new ExchangeReply.Unregistered());
    } else if (request instanceof ExchangeRequest.Send send) {
      send.messages().forEach(one -> arrived.add(one.message()));
    } else if (toSend.isEmpty()) {
      held = new CompletableFuture<>();
      return held;
    }
    return reply(next());
  }

  private static CompletionStage<byte[]> reply(ExchangeReply reply) {
    return CompletableFuture.completedFuture(Wire.encode(reply));
  }

  private ExchangeReply next() {
    List<ToMember> messages =
        toSend.stream().map(message -> new ToMember("incarnation", message)).toList();
    sent += messages.size();
    toSend.clear();
    return new ExchangeReply.Messages(sent, messages);
  }

  private synchronized void send(CoordinatorMessage message) {
    toSend.add(message);
    if (!held.isDone()) {
      held.complete(Wire.encode(next()));
    }
  }

  private synchronized void endServer(boolean ended) {
    gone = ended;
    cutOff();
  }

  private synchronized void replaceServer() {
    known.clear();
    sent = 0;
    cutOff();
  }

  private void cutOff() {
    held.completeExceptionally(new IOException("the connection has ended"));
  }

  @AfterEach
  void stop() {
    remote.close();
  }

  private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
    T next = queue.poll(30, TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    return next;
  }

  private void join() throws InterruptedException {
    link.send(JOIN);
    assertThat(next(arrived)).isEqualTo(JOIN);
  }

  @Test
  void aMemberOfTheFormerServerIsFenced() throws InterruptedException {
    join();
    send(new CoordinatorMessage.Joined(1, new CadencePlan(0, 0, Map.of(Level.DEVICE, 1L))));
    assertThat(next(inbox)).isInstanceOf(CoordinatorMessage.Joined.class);

    send(new CoordinatorMessage.Resume(1, Optional.empty(), Optional.empty(), Ancestry.NONE, ""));
    assertThat(next(inbox)).isInstanceOf(CoordinatorMessage.Resume.class);

    replaceServer();

    assertThat(next(inbox))
        .isInstanceOfSatisfying(
            CoordinatorMessage.Fenced.class,
            fenced -> assertThat(fenced.reason()).contains("coordinator has ended"));
  }

  /** It has nothing to roll back. */
  @Test
  void aMemberWhoseGroupHasNotAgreedJoinsTheNewServer() throws InterruptedException {
    join();
    send(new CoordinatorMessage.Joined(4, new CadencePlan(0, 0, Map.of(Level.DEVICE, 1L))));
    assertThat(next(inbox)).isInstanceOf(CoordinatorMessage.Joined.class);

    replaceServer();

    assertThat(next(arrived)).isEqualTo(JOIN.above(4));
    assertThat(inbox).isEmpty();
  }

  @Test
  void aJoinThatWaitsIsSentAgain() throws InterruptedException {
    join();

    replaceServer();

    assertThat(next(arrived)).isEqualTo(JOIN);
    assertThat(inbox).isEmpty();
  }

  @Test
  void messagesOfTheNewServerCountFromOne() throws InterruptedException {
    join();
    send(new CoordinatorMessage.Refused("first"));
    send(new CoordinatorMessage.Refused("second"));
    next(inbox);
    next(inbox);

    replaceServer();
    assertThat(next(arrived)).isEqualTo(JOIN);
    send(new CoordinatorMessage.Refused("of the new server"));

    assertThat(next(inbox)).isEqualTo(new CoordinatorMessage.Refused("of the new server"));
  }

  @Test
  void aRankNoticesThatNobodyServesAndThatSomebodyDoesAgain() throws InterruptedException {
    join();
    assertThat(link.isAbandoned()).isFalse();

    endServer(true);
    awaitAbandoned(true);

    endServer(false);
    awaitAbandoned(false);
  }

  /** Bounded by the class's timeout. */
  private void awaitAbandoned(boolean expected) throws InterruptedException {
    while (link.isAbandoned() != expected) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }
}
