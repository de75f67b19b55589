package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.GroupId;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.wire.ExchangeReply;
import io.cairn.core.wire.ExchangeReply.ToMember;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.core.wire.ExchangeRequest.ToCoordinator;
import io.cairn.core.wire.Wire;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The requests of one process, whose server is this test. No wait ends by its time. */
@Timeout(60)
class ExchangeLoopTest {
  private static final GroupId GROUP = new GroupId("job", "pair");

  /** The handler of the message needs a class that is missing. */
  private static final String UNLOADABLE = "unloadable";

  /** A request, and the way to answer it. */
  private record Asked(ExchangeRequest request, CompletableFuture<byte[]> reply) {
    void answer(ExchangeReply answer) {
      reply.complete(Wire.encode(answer));
    }
  }

  private final BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();
  private final BlockingQueue<ToMember> delivered = new LinkedBlockingQueue<>();
  private volatile boolean connected = true;

  private final ExchangeLoop loop =
      new ExchangeLoop(
          new ExchangeRequest.Register("p", 1, "node", ""),
          this::take,
          new Ranks(),
          new Patient(),
          100);
  private final Thread thread = new Thread(loop, "exchange of a test");

  private CompletionStage<byte[]> take(byte[] request) {
    Asked taken = new Asked(Wire.decode(request, ExchangeRequest.class), new CompletableFuture<>());
    asked.add(taken);
    return taken.reply();
  }

  private final class Ranks implements ExchangeLoop.Ranks {
    @Override
    public boolean connected() {
      return connected;
    }

    @Override
    public void deliver(ToMember message) {
      if (message.message().equals(new CoordinatorMessage.Fenced(UNLOADABLE))) {
        throw new NoClassDefFoundError("io/cairn/Missing");
      }
      delivered.add(message);
    }

    @Override
    public void startOver() {}

    @Override
    public void refuseJoins(String reason) {}

    @Override
    public void refuse(ToCoordinator message, String reason) {
      throw new AssertionError(reason);
    }
  }

  /** Waits for what is awaited, and not at all for a time to pass. */
  private static final class Patient implements Waits {
    @Override
    public void sleep(long millis) {}

    @Override
    public <T> @Nullable T poll(BlockingQueue<T> queue, long millis) throws InterruptedException {
      return queue.take();
    }

    @Override
    public boolean await(CompletableFuture<?> awaited, long nanos) throws InterruptedException {
      return REAL.await(awaited, TimeUnit.MINUTES.toNanos(1));
    }
  }

  @AfterEach
  void stop() throws InterruptedException {
    loop.end(true);
    thread.interrupt();
    thread.join();
  }

  private static ToCoordinator message(long iteration) {
    MemberMessage ending = new MemberMessage.Ending(0, 1, iteration, MemberMessage.End.CAPTURED);
    return new ToCoordinator(GROUP, 2, "a", ending);
  }

  private static ExchangeReply.Messages messages(long last, String text) {
    return new ExchangeReply.Messages(
        last, List.of(new ToMember("a", new CoordinatorMessage.Fenced(text))));
  }

  private static ExchangeReply.Messages none() {
    return new ExchangeReply.Messages(0, List.of());
  }

  private <T extends ExchangeRequest> Asked next(Class<T> type) throws InterruptedException {
    Asked next = asked.poll(30, TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    assertThat(next.request()).isInstanceOf(type);
    return next;
  }

  /** Registers, and sends the first message. */
  private void begin() throws InterruptedException {
    thread.start();
    loop.offer(message(1));
    next(ExchangeRequest.Register.class).answer(new ExchangeReply.Registered());
    next(ExchangeRequest.Send.class).answer(none());
  }

  @Test
  void oneRequestWaitsWhileRanksAreConnected() throws InterruptedException {
    begin();
    next(ExchangeRequest.Fetch.class);

    loop.offer(message(2));
    next(ExchangeRequest.Send.class).answer(none());
    loop.end(false);
    thread.join();

    assertThat(asked).as("requests beside those").isEmpty();
  }

  /** Such as a host that has ended with its name: nothing there refuses a connection. */
  @Test
  void aServerThatCannotBeConnectedAgainAndAgainIsGone() throws InterruptedException {
    thread.start();
    for (int tries = 0; tries < ExchangeLoop.GONE_TRIES; tries++) {
      Asked asking = next(ExchangeRequest.Register.class);
      assertThat(loop.isAbandoned()).isFalse();
      asking
          .reply()
          .completeExceptionally(
              new PeerException(
                  new PeerAddress("driver", 1),
                  PeerException.Reason.UNCONNECTED,
                  "a question",
                  "no host of this name is known"));
    }

    Asked again = next(ExchangeRequest.Register.class);
    assertThat(loop.isAbandoned()).isTrue();
    again.answer(new ExchangeReply.Registered());
    loop.offer(message(1));
    next(ExchangeRequest.Send.class).answer(none());
    next(ExchangeRequest.Fetch.class);
    assertThat(loop.isAbandoned()).isFalse();
  }

  @Test
  void nothingWaitsWithoutRanks() throws InterruptedException {
    connected = false;

    begin();
    loop.end(false);
    thread.join();

    assertThat(asked).isEmpty();
  }

  @Test
  void messagesComeThroughTheRequestThatWaits() throws InterruptedException {
    begin();
    next(ExchangeRequest.Fetch.class).answer(messages(1, "first"));

    assertThat(delivered.take().message()).isEqualTo(new CoordinatorMessage.Fenced("first"));
    assertThat(next(ExchangeRequest.Fetch.class).request())
        .isEqualTo(new ExchangeRequest.Fetch("p", 1, 1));
  }

  @Test
  void messagesThatWaitGoInOneRequest() throws InterruptedException {
    thread.start();
    Asked registering = next(ExchangeRequest.Register.class);
    loop.offer(message(1));
    loop.offer(message(2));
    loop.offer(message(3));

    registering.answer(new ExchangeReply.Registered());

    assertThat(next(ExchangeRequest.Send.class).request())
        .isEqualTo(
            new ExchangeRequest.Send("p", 2, 0, List.of(message(1), message(2), message(3))));
  }

  @Test
  void aLostAnswerIsReplacedByThatOfTheNextRequest() throws InterruptedException {
    begin();
    next(ExchangeRequest.Fetch.class).reply().completeExceptionally(new IOException("lost"));

    next(ExchangeRequest.Send.class).answer(messages(1, "again"));

    assertThat(delivered.take().message()).isEqualTo(new CoordinatorMessage.Fenced("again"));
    next(ExchangeRequest.Fetch.class);
  }

  @Test
  void aRequestWithMessagesIsRepeatedUnderItsNumber() throws InterruptedException {
    begin();
    next(ExchangeRequest.Fetch.class);
    loop.offer(message(2));
    Asked lost = next(ExchangeRequest.Send.class);
    lost.reply().completeExceptionally(new IOException("lost"));

    assertThat(next(ExchangeRequest.Send.class).request()).isEqualTo(lost.request());
  }

  @Test
  void anAnswerThatComesTwiceIsDeliveredOnce() throws InterruptedException {
    begin();
    Asked fetch = next(ExchangeRequest.Fetch.class);
    loop.offer(message(2));
    next(ExchangeRequest.Send.class).answer(messages(1, "once"));
    fetch.answer(messages(1, "once"));

    next(ExchangeRequest.Fetch.class);

    assertThat(delivered).hasSize(1);
  }

  /** All ranks of the process wait for what this thread delivers. */
  @Test
  void aMessageWhoseHandlingFailsCostsNoOther() throws InterruptedException {
    begin();
    ExchangeReply.Messages both =
        new ExchangeReply.Messages(
            2,
            List.of(
                new ToMember("a", new CoordinatorMessage.Fenced(UNLOADABLE)),
                new ToMember("a", new CoordinatorMessage.Fenced("next"))));

    next(ExchangeRequest.Fetch.class).answer(both);

    assertThat(next(ExchangeRequest.Fetch.class).request())
        .isEqualTo(new ExchangeRequest.Fetch("p", 1, 2));
    assertThat(delivered)
        .extracting(ToMember::message)
        .containsExactly(new CoordinatorMessage.Fenced("next"));
  }
}
