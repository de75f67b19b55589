package io.cairn.engine.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.cairn.cache.memory.Until;
import io.cairn.core.peer.Landings;
import io.cairn.core.peer.MortalPeer;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException.Reason;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.peer.PeerTransportContract;
import io.cairn.process.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sealed TCP keeps the contract, with real processes and kill -9, and with strangers among the
 * senders.
 */
class TcpPeersTest extends PeerTransportContract {
  private static final String HOST = "127.0.0.1";
  private static final byte[] QUESTION = {1, 2};
  private static final byte[] ANSWER = {2, 1};

  private static PeerSecret secret(String text) throws IOException {
    return PeerSecret.of(Optional.of(text));
  }

  @Override
  protected PeerTransport serve(PeerService service) throws IOException {
    return serve(service, TcpPeerProcess.SECRET, PeerLimits.DEFAULT);
  }

  private static TcpPeerTransport serve(PeerService service, String secret, PeerLimits limits)
      throws IOException {
    return TcpPeerTransport.open(HOST, 0, secret(secret), service, limits);
  }

  private static TcpPeerTransport serve(PeerService service, LongSupplier nanoTime)
      throws IOException {
    return TcpPeerTransport.open(
        HOST, 0, secret(TcpPeerProcess.SECRET), service, PeerLimits.DEFAULT, nanoTime);
  }

  private static PeerLimits limits(Duration time, int connections) {
    PeerLimits d = PeerLimits.DEFAULT;
    return new PeerLimits(
        d.connect(), time, time, d.windowBytes(), d.maxWaiting(), connections, d.maxQuestions());
  }

  @Override
  protected PeerTransport serveImpatiently(PeerService service) throws IOException {
    return serve(
        service,
        TcpPeerProcess.SECRET,
        limits(Duration.ofMillis(300), PeerLimits.DEFAULT.maxConnections()));
  }

  @Override
  protected MortalPeer mortalReceiver() throws IOException {
    return TcpPeerProcess.start(true);
  }

  @Override
  protected MortalPeer mortalSender(PeerAddress to) throws IOException {
    return TcpPeerProcess.start(true, to.host(), to.port());
  }

  @Override
  protected PeerAddress nobody() throws IOException {
    return new PeerAddress(HOST, FreePort.find());
  }

  private static Socket connect(PeerAddress to) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), to.port());
    socket.setSoTimeout(30_000);
    return socket;
  }

  private static void assertEnded(Socket socket) throws IOException {
    try {
      int unused = socket.getInputStream().readAllBytes().length;
    } catch (SocketException e) {
      assertThat(e).hasMessageContaining("reset"); // it was cut off with bytes unread
    }
  }

  @Test
  void anOpenAnswerIsCancelledWhenTheConnectionOfItsPeerEnds() throws Exception {
    CompletableFuture<byte[]> held = new CompletableFuture<>();
    CompletableFuture<Void> asked = new CompletableFuture<>();
    PeerTransport serving =
        open(
            new Landings() {
              @Override
              public CompletionStage<byte[]> answer(byte[] request) {
                asked.complete(null);
                return held;
              }
            });
    PeerTransport asking = open(new Landings());
    var unused = asking.ask(serving.address(), QUESTION);
    asked.get(60, TimeUnit.SECONDS);

    asking.close();

    assertThatThrownBy(() -> held.get(60, TimeUnit.SECONDS))
        .isInstanceOf(CancellationException.class);
  }

  @Test
  void aProcessWithAnotherSecretIsRefusedReadably() throws Exception {
    Landings landings = new Landings();
    try (PeerTransport other = serve(landings, "another secret, a wrong one", PeerLimits.DEFAULT)) {
      PeerTransport transport = open(landings);
      for (PeerTransport asking : List.of(transport, other)) {
        PeerAddress to = asking.equals(other) ? transport.address() : other.address();
        for (CompletionStage<?> call :
            List.of(asking.ask(to, QUESTION), asking.push(to, QUESTION, body(10, 1)))) {
          assertThat(failure(call, to))
              .hasMessageContaining("does not prove the setting secret")
              .hasMessageNotContaining(TcpPeerProcess.SECRET)
              .extracting(failure -> failure.reason())
              .isEqualTo(Reason.UNPROVEN);
        }
      }
    }
    assertThat(landings.begun()).isEmpty();
  }

  /** It knows the form of a greeting, and no secret. */
  @Test
  void aClientWithoutTheSecretIsNotServed() throws Exception {
    Landings landings = new Landings();
    PeerTransport server = open(landings);
    for (Hello.Role role : List.of(Hello.Role.Q, Hello.Role.P, Hello.Role.S)) {
      try (Socket socket = connect(server.address())) {
        socket.getOutputStream().write(Hello.begin(role, KeyShare.fresh()));
        socket.getOutputStream().write(new byte[PeerSecret.PROOF_BYTES]);
        assertEnded(socket);
      }
    }
    assertServes(server);
    assertThat(landings.begun()).isEmpty();
  }

  private void assertServes(PeerTransport server) throws Exception {
    assertThat(get(open(new Landings()).ask(server.address(), QUESTION))).isEqualTo(ANSWER);
  }

  @Test
  void garbageIsCutOffAndTheServerServesOn() throws Exception {
    PeerTransport server = open(new Landings());
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 50; i++) {
      byte[] garbage = new byte[Hello.BYTES + random.nextInt(200)];
      random.nextBytes(garbage);
      try (Socket socket = connect(server.address())) {
        socket.getOutputStream().write(garbage);
        assertEnded(socket);
      }
    }
    assertServes(server);
  }

  /** All bytes of a client, sent once more, count for nothing. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void recordedBytesDoNotCountAgain(boolean sealed) throws Exception {
    Landings landings = new Landings();
    try (PeerTransport server = sealed ? serve(landings) : servePlain(landings)) {
      byte[] recorded;
      try (Relay relay = new Relay(server.address(), -1)) {
        try (PeerTransport asking = sealed ? serve(new Landings()) : servePlain(new Landings())) {
          get(asking.push(relay.address(), "once".getBytes(StandardCharsets.UTF_8), body(100, 1)));
        }
        recorded = relay.recorded();
      }
      assertThat(landings.begun()).hasSize(1);

      try (Socket socket = connect(server.address())) {
        socket.getOutputStream().write(recorded);
        assertEnded(socket);
      }
    }
    assertThat(landings.begun()).hasSize(1);
  }

  /** Wherever it lies: in the greeting, the share, the proof, or a record from length to tag. */
  @ParameterizedTest
  @ValueSource(ints = {20, 40, 70, 94, 100, 115, 300, 1135})
  void aChangedByteIsNoticed(int at) throws Exception {
    Landings landings = new Landings();
    PeerTransport server = open(landings);
    try (Relay relay = new Relay(server.address(), at)) {
      PeerTransport asking = open(new Landings());
      byte[] header = "chunk".getBytes(StandardCharsets.UTF_8);

      Reason reason =
          failure(asking.push(relay.address(), header, body(1000, 1)), relay.address()).reason();

      assertThat(reason).isIn(Reason.LOST, Reason.UNPROVEN);
    }
    assertThat(landings.checksums()).isEmpty();
    assertServes(server);
  }

  /** It sends a part of a greeting, a greeting without a proof, or nothing, and stays. */
  @ParameterizedTest
  @ValueSource(strings = {"", "CAIRN/2 QS\r\n\r\n", "CAIRN/2 QS\r\n\r\n0123456789abcdef0"})
  void strangersThatStayKeepNobodyFromBeingAnswered(String begin) throws Exception {
    List<Socket> strangers = new ArrayList<>();
    try (TcpPeerTransport server =
        serve(new Landings(), TcpPeerProcess.SECRET, limits(Duration.ofSeconds(30), 10))) {
      for (int i = 0; i < 2 * TcpPeerServer.FEWEST_STRANGERS; i++) {
        Socket stranger = connect(server.address());
        strangers.add(stranger);
        stranger.getOutputStream().write(begin.getBytes(StandardCharsets.US_ASCII));
        assertThat(server.strangers()).isLessThanOrEqualTo(TcpPeerServer.FEWEST_STRANGERS);
      }

      assertServes(server);
    } finally {
      for (Socket stranger : strangers) {
        stranger.close();
      }
    }
  }

  @Test
  void aStrangerThatSendsNothingIsLetGoAfterSomeSeconds() throws Exception {
    AtomicLong clock = new AtomicLong();
    try (TcpPeerTransport server = serve(new Landings(), clock::get);
        Socket stranger = connect(server.address())) {
      Until.holds(() -> server.strangers() == 1);

      clock.set(TimeUnit.SECONDS.toNanos(6));

      assertThat(stranger.getInputStream().read()).isNegative();
      Until.holds(() -> server.strangers() == 0);
    }
  }

  /** A class cannot be loaded while no file can be opened. */
  @Test
  void anErrorEndsOneConnectionAndNotTheServer() throws Exception {
    AtomicBoolean broken = new AtomicBoolean();
    try (TcpPeerTransport server =
        serve(
            new Landings(),
            () -> {
              if (broken.get()) {
                throw new NoClassDefFoundError("Too many open files");
              }
              return System.nanoTime();
            })) {
      broken.set(true);
      try (Socket sender = connect(server.address())) {
        assertThat(sender.getInputStream().read()).isNegative();
      }
      broken.set(false);

      assertServes(server);
    }
  }

  @Test
  void oneConnectionTooManyIsNotLetIn() throws Exception {
    try (PeerTransport server =
        serve(new Landings(), TcpPeerProcess.SECRET, limits(Duration.ofSeconds(30), 1))) {
      PeerTransport first = open(new Landings());
      assertThat(get(first.ask(server.address(), QUESTION))).isEqualTo(ANSWER);

      CompletionStage<byte[]> second = open(new Landings()).ask(server.address(), QUESTION);

      assertThat(failure(second, server.address()).reason()).isEqualTo(Reason.LOST);
      assertThat(get(first.ask(server.address(), QUESTION))).isEqualTo(ANSWER);
    }
  }

  @Test
  void aPortThatIsTakenIsFollowedByTheNextFreeOne() throws Exception {
    PeerTransport first = open(new Landings());
    int taken = first.address().port();
    try (PeerTransport second =
        TcpPeerTransport.openWithin(
            HOST, taken, 16, secret(TcpPeerProcess.SECRET), new Landings(), PeerLimits.DEFAULT)) {
      assertThat(second.address().port()).isBetween(taken + 1, taken + 16);
      assertServes(second);
    }
  }

  /** Such as the web page of another program. */
  @Test
  void anotherProgramAtTheAddressIsAnErrorAtOnce() throws Exception {
    HttpServer page =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
    page.start();
    try {
      assertNotOurs(new PeerAddress(HOST, page.getAddress().getPort()), Reason.UNPROVEN);
    } finally {
      page.stop(0);
    }
  }

  @Test
  void aProgramThatGreetsOtherwiseIsAnErrorAtOnce() throws Exception {
    try (Greeter greeter = new Greeter("220 mail ready\r\n")) {
      assertNotOurs(greeter.address(), Reason.UNPROVEN);
    }
  }

  /** So does a host that ends. */
  @Test
  void aProgramThatClosesEachConnectionIsAskedAgain() throws Exception {
    try (Greeter greeter = new Greeter("")) {
      assertNotOurs(greeter.address(), Reason.UNCONNECTED);
    }
  }

  private void assertNotOurs(PeerAddress address, Reason reason) throws Exception {
    assertThat(failure(open(new Landings()).ask(address, QUESTION), address))
        .hasMessageContaining("something else than Cairn serves there")
        .extracting(failure -> failure.reason())
        .isEqualTo(reason);
  }

  /** The bytes before it count for nothing, since the push is not whole. */
  @Test
  void aBodyWhoseLastRecordWasChangedIsNotComplete() throws Exception {
    Landings landings = new Landings();
    PeerTransport server = open(landings);
    int first = Sealing.RECORD_BYTES;
    int second =
        Frame.BYTES + 20_000 - Sealing.PLAIN_BYTES + Sealing.LENGTH_BYTES + Sealing.TAG_BYTES;
    int greeting = Hello.BYTES + PeerSecret.PROOF_BYTES;
    try (Relay relay = new Relay(server.address(), greeting + first + second - 1)) {
      PeerTransport asking = open(new Landings());

      assertThat(
              failure(asking.push(relay.address(), new byte[0], body(20_000, 1)), relay.address())
                  .reason())
          .isEqualTo(Reason.LOST);
    }
    assertThat(landings.failed().poll(60, TimeUnit.SECONDS))
        .contains((Sealing.PLAIN_BYTES - Frame.BYTES) + " of 20000 bytes came")
        .contains("does not prove");
    assertThat(landings.checksums()).isEmpty();
  }

  private static TcpPeerTransport servePlain(PeerService service) throws IOException {
    return TcpPeerTransport.open(HOST, 0, TcpPeerProcess.plain(), service, PeerLimits.DEFAULT);
  }

  @Test
  void whatIsPlainComesAsWell() throws Exception {
    Landings landings = new Landings();
    try (PeerTransport server = servePlain(landings);
        PeerTransport asking = servePlain(new Landings())) {
      for (int bytes : new int[] {0, 1, 16 << 10, (16 << 10) + 1, 1 << 20, 9 << 20}) {
        String name = "of " + bytes;
        get(asking.push(server.address(), name.getBytes(StandardCharsets.UTF_8), body(bytes, 3)));
        assertThat(landings.checksums()).containsEntry(name, Landings.checksum(body(bytes, 3)));
        byte[] question = new byte[Math.min(bytes, PeerTransport.MAX_MESSAGE_BYTES)];
        assertThat(get(asking.ask(server.address(), question))).isEqualTo(question);
      }
    }
  }

  @Test
  void whatIsSealedCannotBeOverheard() throws Exception {
    String content = "the weights of the third layer";
    for (boolean sealed : new boolean[] {true, false}) {
      try (PeerTransport server = sealed ? serve(new Landings()) : servePlain(new Landings());
          Relay relay = new Relay(server.address(), -1)) {
        try (PeerTransport asking = sealed ? serve(new Landings()) : servePlain(new Landings())) {
          get(asking.ask(relay.address(), content.getBytes(StandardCharsets.UTF_8)));
        }
        assertThat(new String(relay.recorded(), StandardCharsets.ISO_8859_1).contains(content))
            .isEqualTo(!sealed);
      }
    }
  }

  @Test
  void endsThatDoNotSealAlikeRefuseEachOtherReadably() throws Exception {
    Landings landings = new Landings();
    try (PeerTransport plain = servePlain(landings);
        PeerTransport sealed = serve(landings)) {
      assertThat(failure(plain.ask(sealed.address(), QUESTION), sealed.address()))
          .hasMessageContaining("it encrypts, and this process does not")
          .extracting(failure -> failure.reason())
          .isEqualTo(Reason.UNPROVEN);
      assertThat(failure(sealed.push(plain.address(), QUESTION, body(10, 1)), plain.address()))
          .hasMessageContaining("it does not encrypt, and this process does")
          .extracting(failure -> failure.reason())
          .isEqualTo(Reason.UNPROVEN);
    }
    assertThat(landings.begun()).isEmpty();
  }

  /** Such as by someone who makes each end believe that the other seals alike, or is another. */
  @ParameterizedTest
  @CsvSource({"9, 3, true, true", "9, 3, true, false", "8, 1, false, true"})
  void aFirstLineThatWasChangedIsNotProven(int at, int bits, boolean bothWays, boolean asksSealed)
      throws Exception {
    Landings landings = new Landings();
    boolean servesSealed = asksSealed != bothWays;
    try (PeerTransport server = serveTheSame(landings, servesSealed);
        PeerTransport asking = serveTheSame(new Landings(), asksSealed);
        Relay relay = new Relay(server.address(), at, bits, bothWays)) {
      assertThat(failure(asking.ask(relay.address(), QUESTION), relay.address()))
          .hasMessageContaining("does not prove")
          .extracting(failure -> failure.reason())
          .isEqualTo(Reason.UNPROVEN);
    }
  }

  /** By one secret, sealed or not. */
  private static PeerTransport serveTheSame(PeerService service, boolean seals) throws IOException {
    PeerSecret secret = PeerSecret.derived(TcpPeerProcess.SECRET, seals, "the secret of a test");
    return TcpPeerTransport.open(HOST, 0, secret, service, PeerLimits.DEFAULT);
  }

  @Test
  void aRangeWithoutAFreePortIsRefusedByName() throws Exception {
    PeerTransport first = open(new Landings());

    assertThatThrownBy(
            () ->
                TcpPeerTransport.openWithin(
                    HOST,
                    first.address().port(),
                    0,
                    secret(TcpPeerProcess.SECRET),
                    new Landings(),
                    PeerLimits.DEFAULT))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(first.address().toString());
  }

  /** All its ports fail alike, and the message names the one that was asked for. */
  @Test
  void anAddressOfAnotherMachineIsNoPortThatIsTaken() {
    assertThatThrownBy(
            () ->
                TcpPeerTransport.openWithin(
                    "192.0.2.1",
                    HOST,
                    40_000,
                    16,
                    secret(TcpPeerProcess.SECRET),
                    new Landings(),
                    PeerLimits.DEFAULT))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("192.0.2.1:40000");
  }
}
