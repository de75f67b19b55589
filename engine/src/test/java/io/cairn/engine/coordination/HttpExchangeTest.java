package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.cache.memory.Until;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.Origin;
import io.cairn.core.wire.ExchangeReply;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.core.wire.Wire;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The exchange over HTTP, with strangers among the senders. */
@Timeout(60)
class HttpExchangeTest {
  private static final String SECRET = "a secret of the job";
  private static final byte[] REGISTER = Wire.encode(new ExchangeRequest.Register("p", 1, "", ""));

  private static final HostFactory NO_GROUPS =
      (group, size, outbox) -> {
        throw new IllegalStateException("no group joins here");
      };

  private HttpAddress address = new HttpAddress("127.0.0.1", 1, Optional.empty());
  private HttpExchangeServer http;

  @BeforeEach
  void serve() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      address = new HttpAddress("127.0.0.1", free.getLocalPort(), Optional.of(SECRET));
    }
    http = new HttpExchangeServer(address, server());
  }

  private static ExchangeServer server() {
    return new ExchangeServer(NO_GROUPS, request -> {}, System::nanoTime);
  }

  @AfterEach
  void end() {
    http.close();
  }

  /** The reply; throws as its stage fails. */
  private static byte[] ask(Exchange exchange, byte[] request) throws Exception {
    try {
      return exchange.ask(request).toCompletableFuture().get(30, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw (Exception) e.getCause();
    }
  }

  private HttpAddress with(Optional<String> secret) {
    return new HttpAddress(address.host(), address.port(), secret);
  }

  private String nonce() throws Exception {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(address.uri()).GET().build(), BodyHandlers.ofString())
        .headers()
        .firstValue(HttpAddress.NONCE)
        .orElseThrow();
  }

  /** A request with this body, signed with the secret for a server with this nonce. */
  private HttpRequest.Builder post(byte[] body, String nonce, String id) throws IOException {
    String digest = SharedSecret.digest(body);
    return HttpRequest.newBuilder(address.uri())
        .header(HttpAddress.NONCE, nonce)
        .header(HttpAddress.REQUEST, id)
        .header(HttpAddress.DIGEST, digest)
        .header(HttpAddress.SIGNATURE, address.key().ofRequest(nonce, id, body.length, digest))
        .POST(BodyPublishers.ofByteArray(body));
  }

  private int status(byte[] body) throws Exception {
    return status(post(body, nonce(), UUID.randomUUID().toString()).build());
  }

  private static int status(HttpRequest request) throws Exception {
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).statusCode();
  }

  @Test
  void aProcessWithTheSecretIsAnswered() throws Exception {
    byte[] reply = ask(new HttpExchangeClient(address), REGISTER);

    assertThat(Wire.decode(reply, ExchangeReply.class)).isEqualTo(new ExchangeReply.Registered());
  }

  @Test
  void aProcessWithAnotherSecretIsRefusedReadably() {
    for (Optional<String> other :
        List.of(Optional.of("another secret, a wrong one"), Optional.<String>empty())) {
      HttpExchangeClient stranger = new HttpExchangeClient(with(other));

      assertThatThrownBy(() -> ask(stranger, REGISTER))
          .isInstanceOf(UnprovenException.class)
          .hasMessageContaining(address.toString())
          .hasMessageContaining("secret")
          .hasMessageNotContaining(SECRET);
    }
  }

  @Test
  void aServerWithoutTheSecretIsNotBelieved() throws Exception {
    http.close();
    http = new HttpExchangeServer(with(Optional.empty()), server());

    assertThatThrownBy(() -> ask(new HttpExchangeClient(address), REGISTER))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not prove secret");
  }

  @Test
  void garbageIsRefusedAndTheServerServesOn() throws Exception {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 50; i++) {
      byte[] garbage = new byte[random.nextInt(200)];
      random.nextBytes(garbage);
      assertThat(status(garbage)).as("seed 7, try %d", i).isEqualTo(400);
    }

    assertThat(ask(new HttpExchangeClient(address), REGISTER)).isNotEmpty();
  }

  @Test
  void aRequestForTheServerBeforeIsRefusedByTheNext() throws Exception {
    HttpRequest recorded = post(REGISTER, nonce(), "request").build();
    assertThat(status(recorded)).isEqualTo(200);
    http.close();
    http = new HttpExchangeServer(address, server());

    assertThat(status(recorded)).isEqualTo(401);
  }

  @Test
  void aRequestCountsOnce() throws Exception {
    HttpRequest recorded = post(REGISTER, nonce(), "request").build();

    assertThat(status(recorded)).isEqualTo(200);
    assertThat(status(recorded)).isEqualTo(403);
  }

  @Test
  void aClientGoesOnWithTheNextServer() throws Exception {
    HttpExchangeClient client = new HttpExchangeClient(address);
    ask(client, REGISTER);
    http.close();
    http = new HttpExchangeServer(address, server());

    byte[] fetch = Wire.encode(new ExchangeRequest.Fetch("p", 1, 0));
    byte[] reply;
    try {
      reply = ask(client, fetch);
    } catch (IOException e) {
      reply = ask(client, fetch); // the first took the connection to the former server
    }
    assertThat(Wire.decode(reply, ExchangeReply.class)).isEqualTo(new ExchangeReply.Unregistered());
  }

  @Test
  void aBodyThatIsNotTheSignedOneIsRefused() throws Exception {
    HttpRequest signed = post(REGISTER, nonce(), "request").build();
    HttpRequest other =
        HttpRequest.newBuilder(signed, (name, value) -> true)
            .POST(BodyPublishers.ofByteArray(new byte[REGISTER.length]))
            .build();

    assertThat(status(other)).isEqualTo(403);
  }

  @Test
  void aPageOfABrowserIsRefused() throws Exception {
    assertThat(
            status(post(REGISTER, nonce(), "request").header("Origin", "http://evil.org").build()))
        .isEqualTo(403);
  }

  /** It sends a part of a head, a body without a proof, or nothing, and stays. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "POST /cairn/exchange HTTP/1.1\r\nHost: x\r\nX-",
        "POST /cairn/exchange HTTP/1.1\r\nHost: x\r\nContent-Length: 16000000\r\n\r\nabc"
      })
  void strangersThatStayKeepNobodyFromBeingAnswered(String begin) throws Exception {
    List<Socket> strangers = new ArrayList<>();
    try {
      for (int i = 0; i < 3 * HttpExchangeServer.MOST_STRANGERS; i++) {
        Socket stranger = new Socket(InetAddress.getLoopbackAddress(), address.port());
        strangers.add(stranger);
        stranger.getOutputStream().write(begin.getBytes(StandardCharsets.US_ASCII));
        assertThat(http.strangers()).isLessThanOrEqualTo(HttpExchangeServer.MOST_STRANGERS);
      }

      assertThat(ask(new HttpExchangeClient(address), REGISTER)).isNotEmpty();
    } finally {
      for (Socket stranger : strangers) {
        stranger.close();
      }
    }
  }

  @Test
  void aStrangerThatSendsNothingIsLetGoAfterSomeSeconds() throws Exception {
    AtomicLong clock = new AtomicLong();
    http.close();
    http = new HttpExchangeServer(address, server(), clock::get, Waits.REAL);
    try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), address.port())) {
      Until.holds(() -> http.strangers() == 1);

      clock.set(TimeUnit.SECONDS.toNanos(6));

      assertThat(stranger.getInputStream().read()).isNegative();
      Until.holds(() -> http.strangers() == 0);
    }
  }

  /** A class cannot be loaded while no file can be opened. */
  @Test
  void anErrorEndsOneConnectionAndNotTheServer() throws Exception {
    AtomicBoolean broken = new AtomicBoolean();
    http.close();
    http =
        new HttpExchangeServer(
            address,
            server(),
            () -> {
              if (broken.get()) {
                throw new NoClassDefFoundError("Too many open files");
              }
              return System.nanoTime();
            },
            Waits.REAL);
    broken.set(true);
    try (Socket sender = new Socket(InetAddress.getLoopbackAddress(), address.port())) {
      sender.setSoTimeout(30_000);
      assertThat(sender.getInputStream().read()).isNegative();
    }
    broken.set(false);

    assertThat(ask(new HttpExchangeClient(address), REGISTER)).isNotEmpty();
  }

  @Test
  void aHeadWithoutAnEndIsCutOff() throws Exception {
    try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), address.port())) {
      stranger.getOutputStream().write(new byte[5000]);
      stranger.setSoTimeout(30_000);
      try {
        assertThat(stranger.getInputStream().read()).isNegative();
      } catch (SocketException e) {
        assertThat(e).hasMessageContaining("reset"); // it was cut off with bytes unread
      }
    }
  }

  @Test
  void aBodyTooLargeIsRefused() throws Exception {
    assertThat(status(new byte[HttpAddress.MAX_BYTES + 1])).isEqualTo(413);
  }

  @Test
  void otherPathsAndMethodsAreRefused() throws Exception {
    URI root = URI.create("http://" + address + "/");

    assertThat(
            status(
                HttpRequest.newBuilder(address.uri())
                    .PUT(BodyPublishers.ofByteArray(REGISTER))
                    .build()))
        .isEqualTo(405);
    assertThat(status(HttpRequest.newBuilder(root).GET().build())).isEqualTo(404);
  }

  @Test
  void aFailureOfTheServerIsItsOwn() throws Exception {
    byte[] joins =
        Wire.encode(
            new ExchangeRequest.Send(
                "p",
                1,
                0,
                List.of(
                    new ExchangeRequest.ToCoordinator(
                        new GroupId("job", "g"),
                        1,
                        "x",
                        new MemberMessage.Join(0, 1, "x", new Origin("birth", 0))))));

    assertThat(status(joins)).isEqualTo(500);
    assertThat(ask(new HttpExchangeClient(address), REGISTER)).isNotEmpty();
  }

  @Test
  void aJoinWithAnotherSecretIsRefusedReadably() throws Exception {
    HttpExchangeClient stranger =
        new HttpExchangeClient(with(Optional.of("another secret, a wrong one")));
    BlockingQueue<CoordinatorMessage> inbox = new LinkedBlockingQueue<>();

    try (RemoteCoordination remote = new RemoteCoordination("p", "", "", stranger)) {
      Member member = new Member(new GroupId("job", "g"), 0, 2);
      remote
          .connect(member, "incarnation", inbox::add)
          .send(new MemberMessage.Join(0, 2, "incarnation", new Origin("birth", 0)));

      assertThat(inbox.poll(30, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              CoordinatorMessage.Refused.class,
              refused ->
                  assertThat(refused.reason()).contains(address.toString()).contains("secret"));
    }
  }

  @Test
  void requestsThatWaitForMessagesHoldNoThread() throws Exception {
    HttpExchangeClient client = new HttpExchangeClient(address);
    List<CompletableFuture<byte[]>> waiting = new ArrayList<>();
    for (int process = 0; process < 20; process++) {
      ask(client, Wire.encode(new ExchangeRequest.Register("p" + process, 1, "", "")));
      byte[] fetch = Wire.encode(new ExchangeRequest.Fetch("p" + process, 1, 0));
      waiting.add(client.ask(fetch).toCompletableFuture());
    }

    assertThat(ask(client, REGISTER)).isNotEmpty();
    assertThat(waiting).noneMatch(CompletableFuture::isDone);
  }

  @Test
  void aServerThatClosesLingersByItsOwnClock() throws Exception {
    AtomicLong clock = new AtomicLong();
    ExchangeServer owing = new ExchangeServer(NO_GROUPS, request -> {}, clock::get);
    http.close();
    http = new HttpExchangeServer(address, owing, clock::get, new Lingering(clock, owing));
    owing.answer(REGISTER).toCompletableFuture().join();
    owing.mailboxes().locate("incarnation", "p");
    owing.mailboxes().put("incarnation", new CoordinatorMessage.Fenced("it fetches nothing"));

    http.close();

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

  @Test
  void anAddressThatNobodyServesIsNamed() {
    http.close();

    assertThatThrownBy(() -> ask(new HttpExchangeClient(address), REGISTER))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining(address.toString());
  }

  /** Such as the web page of another program. */
  @Test
  void anotherProgramAtTheAddressIsAnErrorAtOnce() throws Exception {
    http.close();
    HttpServer page = HttpServer.create(address.socket(), 1);
    page.start();
    try {
      assertThatThrownBy(() -> ask(new HttpExchangeClient(address), REGISTER))
          .isInstanceOf(UnprovenException.class)
          .hasMessageContaining("something else than the coordinator serves at " + address);
    } finally {
      page.stop(0);
    }
  }

  @Test
  void aProgramThatDoesNotSpeakHttpIsAnErrorAtOnce() throws Exception {
    http.close();
    try (ServerSocket other =
            new ServerSocket(address.port(), 1, InetAddress.getLoopbackAddress());
        Greeting greeting = new Greeting(other, "220 mail ready\r\n\r\n")) {
      greeting.start();
      assertThatThrownBy(() -> ask(new HttpExchangeClient(address), REGISTER))
          .isInstanceOf(UnprovenException.class)
          .hasMessageContaining("something else than the coordinator serves at " + address);
    }
  }

  /** The coordinator behind it may be there in a moment. */
  @ParameterizedTest
  @ValueSource(ints = {502, 503, 504})
  void aProxyWithoutACoordinatorIsTriedAgain(int status) throws Exception {
    http.close();
    HttpServer proxy = HttpServer.create(address.socket(), 1);
    proxy.createContext(
        "/",
        asked -> {
          asked.sendResponseHeaders(status, -1);
          asked.close();
        });
    proxy.start();
    try {
      assertThatThrownBy(() -> ask(new HttpExchangeClient(address), REGISTER))
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(UnprovenException.class)
          .hasMessageContaining("something else than the coordinator serves at " + address)
          .hasMessageContaining("status " + status);
    } finally {
      proxy.stop(0);
    }
  }

  /** As Spark's master does, for which the request is a frame that is too long. */
  @Test
  void aProgramThatClosesEachConnectionIsNamedAfterSomeTries() throws Exception {
    http.close();
    try (ServerSocket other =
            new ServerSocket(address.port(), 1, InetAddress.getLoopbackAddress());
        Greeting greeting = new Greeting(other, "")) {
      greeting.start();
      HttpExchangeClient client = new HttpExchangeClient(address);
      for (int i = 0; i < 9; i++) {
        assertThatThrownBy(() -> ask(client, REGISTER)).hasMessageContaining("did not reply");
      }
      assertThatThrownBy(() -> ask(client, REGISTER))
          .isNotInstanceOf(UnprovenException.class)
          .hasMessageContaining("something else than the coordinator serves at " + address);
    }
  }

  /** Greets each connection, as a mail server does. */
  private static final class Greeting extends Thread implements AutoCloseable {
    private final ServerSocket at;
    private final byte[] greeting;

    Greeting(ServerSocket at, String greeting) {
      this.at = at;
      this.greeting = greeting.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void run() {
      try {
        while (true) {
          try (Socket asked = at.accept()) {
            asked.getOutputStream().write(greeting);
            asked.shutdownOutput();
            asked.getInputStream().readAllBytes();
          }
        }
      } catch (IOException e) {
        // the test ended
      }
    }

    @Override
    public void close() throws IOException {
      at.close();
    }
  }

  @Test
  void aReplyFitsItsRequestAlone() throws IOException {
    SharedSecret key = address.key();
    byte[] body = {1, 2};

    assertThat(key.ofReply("a", body)).isNotEqualTo(key.ofReply("b", body));
    assertThat(key.ofRequest("n", "a", 2, SharedSecret.digest(body)))
        .isNotEqualTo(key.ofRequest("another", "a", 2, SharedSecret.digest(body)));
    assertThat(SharedSecret.matches("x", null)).isFalse();
  }
}
