package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.Origin;
import io.cairn.core.wire.ExchangeReply;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.net.PeerSecret;
import io.cairn.engine.net.TcpPeerClient;
import io.cairn.process.FreePort;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes that meet at one address, of which the first hosts. */
@Timeout(60)
class MeetingCoordinationTest {
  private static final String SECRET = "a secret of the job";
  private static final Member MEMBER = new Member(new GroupId("job", "g"), 0, 2);
  private static final byte[] REGISTER = Wire.encode(new ExchangeRequest.Register("p", 1, "", ""));

  private static final HostFactory NO_GROUPS =
      (group, size, outbox) -> {
        throw new IllegalStateException("no group joins here");
      };

  private final List<AutoCloseable> opened = new ArrayList<>();
  private final AtomicInteger announced = new AtomicInteger();
  private PeerAddress address = new PeerAddress("127.0.0.1", 1);

  @BeforeEach
  void chooseAddress() throws IOException {
    address = new PeerAddress("127.0.0.1", FreePort.find());
  }

  @AfterEach
  void end() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  private MeetingCoordination meeting(String secret) {
    return meeting(secret, System::nanoTime, Waits.REAL, server(System::nanoTime));
  }

  private static ExchangeServer server(LongSupplier nanoTime) {
    return new ExchangeServer(NO_GROUPS, request -> {}, nanoTime);
  }

  private MeetingCoordination meeting(
      String secret, LongSupplier nanoTime, Waits waits, ExchangeServer server) {
    MeetingCoordination made =
        new MeetingCoordination(
            new MeetingCoordination.Meeting(
                address,
                Optional.of(secret),
                () -> "",
                () -> "",
                server,
                server::answer,
                way -> {},
                announced::incrementAndGet),
            nanoTime,
            waits);
    opened.add(0, made);
    return made;
  }

  private TcpPeerClient client() throws IOException {
    TcpPeerClient client =
        new TcpPeerClient(PeerSecret.of(Optional.of(SECRET)), PeerLimits.DEFAULT);
    opened.add(0, client);
    return client;
  }

  private ExchangeReply ask(TcpPeerClient client, byte[] request) throws Exception {
    byte[] reply = client.ask(address, request).toCompletableFuture().get(30, TimeUnit.SECONDS);
    return Wire.decode(reply, ExchangeReply.class);
  }

  private static MemberMessage.Join join() {
    return new MemberMessage.Join(0, 2, "incarnation", new Origin("birth", 0));
  }

  @Test
  void aJoinWithAnotherSecretIsRefusedReadably() throws Exception {
    meeting(SECRET).hostIfFree();
    BlockingQueue<CoordinatorMessage> inbox = new LinkedBlockingQueue<>();

    meeting("another secret, a wrong one").connect(MEMBER, "incarnation", inbox::add).send(join());

    assertThat(inbox.poll(30, TimeUnit.SECONDS))
        .isInstanceOfSatisfying(
            CoordinatorMessage.Refused.class,
            refused -> assertThat(refused.reason()).contains(address.toString(), "secret"));
  }

  @Test
  void requestsThatWaitForMessagesHoldNoThread() throws Exception {
    meeting(SECRET).hostIfFree();
    TcpPeerClient client = client();
    List<CompletableFuture<byte[]>> waiting = new ArrayList<>();
    for (int process = 0; process < 20; process++) {
      ask(client, Wire.encode(new ExchangeRequest.Register("p" + process, 1, "", "")));
      byte[] fetch = Wire.encode(new ExchangeRequest.Fetch("p" + process, 1, 0));
      waiting.add(client.ask(address, fetch).toCompletableFuture());
    }

    assertThat(ask(client, REGISTER)).isEqualTo(new ExchangeReply.Registered());
    assertThat(waiting).noneMatch(CompletableFuture::isDone);
  }

  /** A restore reads from the nodes that the new host's desk knows. */
  @Test
  void aProcessRegistersItsNodeBeforeItsRanksJoinAtAnyHost() throws Exception {
    BlockingQueue<Integer> whenJoined = new LinkedBlockingQueue<>();
    MeetingCoordination first = hosting(whenJoined);
    meeting(SECRET).connect(MEMBER, "incarnation", message -> {}).send(join());
    assertThat(whenJoined.poll(30, TimeUnit.SECONDS)).isEqualTo(1);
    first.close();
    whenJoined.clear();

    var unused = hosting(whenJoined);

    assertThat(whenJoined.poll(30, TimeUnit.SECONDS)).isEqualTo(2);
  }

  /** A host that says, for each join, how often processes had registered their nodes before. */
  private MeetingCoordination hosting(BlockingQueue<Integer> whenJoined) {
    ExchangeServer server =
        new ExchangeServer(
            NO_GROUPS,
            request -> {
              if (request instanceof ExchangeRequest.Send send && !send.messages().isEmpty()) {
                whenJoined.add(announced.get());
              }
            },
            System::nanoTime);
    MeetingCoordination host = meeting(SECRET, System::nanoTime, Waits.REAL, server);
    host.hostIfFree();
    return host;
  }

  @Test
  void aHostThatClosesLingersByItsOwnClock() throws Exception {
    AtomicLong clock = new AtomicLong();
    ExchangeServer owing = server(clock::get);
    MeetingCoordination host = meeting(SECRET, clock::get, new Lingering(clock, owing), owing);
    host.hostIfFree();
    owing.answer(REGISTER).toCompletableFuture().join();
    owing.mailboxes().locate("incarnation", "p");
    owing.mailboxes().put("incarnation", new CoordinatorMessage.Fenced("it fetches nothing"));

    host.close();

    assertThat(Duration.ofNanos(clock.get())).isEqualTo(Duration.ofSeconds(3));
  }

  /** A process that asks all the time, and never fetches its messages. */
  private record Lingering(AtomicLong clock, ExchangeServer owing) implements Waits {
    @Override
    public void sleep(long millis) {
      clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
      owing.answer(REGISTER).toCompletableFuture().join();
    }

    @Override
    public <T> @Nullable T poll(BlockingQueue<T> queue, long millis) {
      throw new AssertionError("nothing is polled");
    }

    @Override
    public boolean await(CompletableFuture<?> awaited, long nanos) {
      throw new AssertionError("nothing is awaited");
    }
  }
}
