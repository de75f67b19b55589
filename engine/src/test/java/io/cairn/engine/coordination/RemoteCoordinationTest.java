package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.core.cadence.Measurement;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.Origin;
import io.cairn.core.wire.ExchangeReply;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.core.wire.Wire;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RemoteCoordinationTest {
  private static final Member MEMBER = new Member(new GroupId("job", "pair"), 0, 2);
  private static final int MOST_HELD = RemoteCoordination.MOST_HELD;
  private static final int MOST_WAITING = RemoteCoordination.MOST_WAITING;

  /** Until then the driver answers nothing. */
  private final CountDownLatch answering = new CountDownLatch(1);

  private final BlockingQueue<MemberMessage> arrived = new LinkedBlockingQueue<>();
  private final BlockingQueue<CoordinatorMessage> inbox = new LinkedBlockingQueue<>();
  private final RemoteCoordination remote = new RemoteCoordination("1", "node", "", this::answer);
  private final Coordination.Link link = remote.connect(MEMBER, "incarnation", inbox::add);

  private CompletionStage<byte[]> answer(byte[] bytes) {
    ExchangeRequest request = Wire.decode(bytes, ExchangeRequest.class);
    if (request instanceof ExchangeRequest.Fetch) {
      return new CompletableFuture<>();
    }
    return CompletableFuture.supplyAsync(() -> answer(request));
  }

  private byte[] answer(ExchangeRequest request) {
    try {
      answering.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    if (request instanceof ExchangeRequest.Send send) {
      send.messages().forEach(sent -> arrived.add(sent.message()));
      return Wire.encode(new ExchangeReply.Messages(0, List.of()));
    }
    return Wire.encode(new ExchangeReply.Registered());
  }

  /** Such as a class that is missing; each further request would meet it, too. */
  @Test
  void anErrorInAskingRefusesTheJoinThatWaits() throws Exception {
    Exchange failing =
        request -> {
          throw new NoClassDefFoundError("io/netty/Missing");
        };
    BlockingQueue<CoordinatorMessage> refused = new LinkedBlockingQueue<>();
    try (RemoteCoordination broken = new RemoteCoordination("2", "node", "", failing)) {
      broken
          .connect(MEMBER, "incarnation", refused::add)
          .send(new MemberMessage.Join(0, 2, "incarnation", new Origin("life", 0)));

      assertThat(refused.take()).isEqualTo(new CoordinatorMessage.Refused("io/netty/Missing"));
    }
  }

  /** Such as no room for one more thread; the next request may find it. */
  @Test
  void whatFailsForAMomentEndsNoExchange() throws Exception {
    AtomicBoolean failed = new AtomicBoolean();
    Exchange passing =
        new Exchange() {
          @Override
          public CompletionStage<byte[]> ask(byte[] request) {
            if (failed.compareAndSet(false, true)) {
              throw new OutOfMemoryError("no room in this test");
            }
            answering.countDown();
            return answer(request);
          }

          @Override
          public void registered() {
            throw new IllegalStateException("not announced in this test");
          }
        };
    try (RemoteCoordination mended = new RemoteCoordination("2", "node", "", passing)) {
      MemberMessage.Join join = new MemberMessage.Join(0, 2, "incarnation", new Origin("life", 0));

      mended.connect(MEMBER, "incarnation", message -> {}).send(join);

      assertThat(nextArrived()).isEqualTo(join);
    }
  }

  @AfterEach
  void stop() {
    answering.countDown();
    remote.close();
  }

  private static MemberMessage.Held held(long iteration) {
    return new MemberMessage.Held(
        0, 1, iteration, Level.DEVICE, List.of(), new Measurement(0, 0, 0, Set.of()));
  }

  private static MemberMessage.GaveUp gaveUp(long iteration) {
    return new MemberMessage.GaveUp(
        0, 1, iteration, Level.DEVICE, MemberMessage.GaveUp.Why.FAILED, "no room");
  }

  private MemberMessage nextArrived() throws InterruptedException {
    MemberMessage next = arrived.poll(30, TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    return next;
  }

  private void sendHeld(int count) {
    for (int iteration = 0; iteration < count; iteration++) {
      link.send(held(iteration));
    }
  }

  private static void assertFailed(CoordinatorMessage message, long iteration) {
    assertThat(message)
        .isInstanceOfSatisfying(
            CoordinatorMessage.Settled.class,
            settled -> {
              assertThat(settled.iteration()).isEqualTo(iteration);
              assertThat(settled.outcome()).isInstanceOf(Outcome.Failed.class);
            });
  }

  @Test
  void aFullQueueFailsTheCheckpointAndNothingElse() {
    sendHeld(MOST_HELD);
    assertThat(inbox).isEmpty();

    link.send(held(MOST_HELD));

    assertThat(inbox).hasSize(1);
    assertFailed(inbox.remove(), MOST_HELD);
  }

  @Test
  void theGroupLearnsOfARefusedReportAndLosesNoAcceptedOne() throws InterruptedException {
    sendHeld(MOST_HELD + 1);
    link.send(new MemberMessage.Leave(0, 1));

    answering.countDown();

    for (int iteration = 0; iteration < MOST_HELD; iteration++) {
      assertThat(nextArrived()).isEqualTo(held(iteration));
    }
    assertThat(nextArrived())
        .isInstanceOfSatisfying(
            MemberMessage.GaveUp.class,
            gaveUp -> assertThat(gaveUp.iteration()).isEqualTo(MOST_HELD));
    assertThat(nextArrived()).isEqualTo(new MemberMessage.Leave(0, 1));
  }

  @Test
  void reportsAreTakenAgainWhenTheDriverAnswers() throws InterruptedException {
    sendHeld(MOST_HELD + 1);
    answering.countDown();
    for (int i = 0; i <= MOST_HELD; i++) {
      nextArrived();
    }
    inbox.clear();

    link.send(held(MOST_HELD + 1));

    assertThat(nextArrived()).isEqualTo(held(MOST_HELD + 1));
    assertThat(inbox).isEmpty();
  }

  @Test
  void aQueueWithoutAnyRoomRefusesEveryMessageAloud() {
    for (int iteration = 0; iteration < MOST_WAITING; iteration++) {
      link.send(gaveUp(iteration));
    }
    assertThat(inbox).isEmpty();

    link.send(gaveUp(MOST_WAITING));
    link.send(new MemberMessage.Join(0, 2, "incarnation", new Origin("birth", 0)));

    assertFailed(inbox.remove(), MOST_WAITING);
    assertThat(inbox.remove()).isInstanceOf(CoordinatorMessage.Refused.class);
  }

  @Test
  void aRankThatCannotHandleAMessageDoesNotEndWhoeverDeliversIt() {
    Coordination.Link broken =
        remote.connect(
            MEMBER,
            "broken",
            message -> {
              throw new NoClassDefFoundError("io/cairn/Missing");
            });
    sendHeld(MOST_HELD);

    assertThatCode(() -> broken.send(held(MOST_HELD))).doesNotThrowAnyException();
  }
}
