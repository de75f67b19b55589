package io.cairn.engine.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.cache.memory.Until;
import io.cairn.core.peer.Landings;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException;
import io.cairn.core.peer.PeerException.Reason;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.threads.DaemonThreads;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** TCP keeps its bounds and deadlines with a peer that knows the secret, and without memory. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TcpBoundsTest {
  private static final PeerAddress NOBODY = new PeerAddress("127.0.0.1", 1);
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(31);
  private static final byte[] QUESTION = {1, 2};
  private static final int SLOW_QUESTIONS = 10;

  private final AtomicLong clock = new AtomicLong();
  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  private TcpPeerTransport serve(PeerService service, LongSupplier nanoTime) throws IOException {
    TcpPeerTransport serving =
        TcpPeerTransport.open(
            "127.0.0.1", 0, TcpPeerProcess.secret(), service, PeerLimits.DEFAULT, nanoTime);
    opened.add(serving);
    return serving;
  }

  private TcpPeerClient client(NetLoops loops, ThreadFactory threads) throws IOException {
    TcpPeerClient client =
        new TcpPeerClient(TcpPeerProcess.secret(), PeerLimits.DEFAULT, loops, threads);
    opened.add(client);
    return client;
  }

  private RawPeer raw(PeerTransport to, FrameReader.Frames frames) throws IOException {
    RawPeer raw = new RawPeer(to.address(), frames);
    opened.add(raw);
    return raw;
  }

  private static FrameReader.Frames ignored() {
    return (frame, header) -> new Gathered(frame.bodyBytes(), answer -> {});
  }

  private static PeerException failure(CompletionStage<?> call) throws Exception {
    try {
      call.toCompletableFuture().get(30, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      return Objects.requireNonNull((PeerException) e.getCause());
    }
    throw new AssertionError("a call succeeded");
  }

  private void assertServes(PeerTransport serving) throws Exception {
    TcpPeerClient client = client(NetLoops.start(System::nanoTime), TcpPeerClient.CONNECTING);
    assertThat(
            client.ask(serving.address(), QUESTION).toCompletableFuture().get(30, TimeUnit.SECONDS))
        .containsExactly(2, 1);
  }

  /** To describe it takes memory, too. */
  private static final class NoMemory extends OutOfMemoryError {
    private static final long serialVersionUID = 1;

    @Override
    public StackTraceElement[] getStackTrace() {
      throw new OutOfMemoryError("no stack trace");
    }

    @Override
    public String getMessage() {
      throw new OutOfMemoryError("no text");
    }
  }

  @Test
  void aLackOfMemoryEndsNeitherTheLoopNorTheListener() throws Exception {
    AtomicBoolean full = new AtomicBoolean();
    AtomicInteger failed = new AtomicInteger();
    TcpPeerTransport serving =
        serve(
            new Landings(),
            () -> {
              if (full.get()) {
                failed.incrementAndGet();
                throw new NoMemory();
              }
              return System.nanoTime();
            });
    full.set(true);
    try (Socket sender = new Socket(InetAddress.getLoopbackAddress(), serving.address().port())) {
      sender.getOutputStream().write(QUESTION);
    }
    Until.holds(() -> failed.get() > 2);
    full.set(false);

    assertServes(serving);
  }

  @Test
  void aCallFailsIfNoThreadIsFreeToConnect() throws Exception {
    TcpPeerClient client =
        client(
            NetLoops.start(System::nanoTime),
            task -> {
              throw new OutOfMemoryError("unable to create native thread");
            });

    PeerException failure = failure(client.ask(NOBODY, QUESTION));

    assertThat(failure.reason()).isEqualTo(Reason.UNCONNECTED);
    assertThat(failure).hasMessageContaining("native thread");
  }

  /** Stands before the providers of Java, and lacks a class. */
  private static final class Unloadable extends Provider {
    private static final long serialVersionUID = 1;

    Unloadable() {
      super("unloadable", "1", "of a test");
      putService(
          new Service(this, "KeyPairGenerator", "X25519", "none", List.of(), Map.of()) {
            @Override
            public Object newInstance(Object parameter) {
              throw new NoClassDefFoundError("io/cairn/Missing");
            }
          });
    }
  }

  @Test
  void anErrorInConnectingFailsTheCallsAndGoesNoFurther() throws Exception {
    TcpPeerTransport serving = serve(new Landings(), System::nanoTime);
    TcpPeerClient client = client(NetLoops.start(System::nanoTime), TcpPeerClient.CONNECTING);
    Provider lacking = new Unloadable();
    Security.insertProviderAt(lacking, 1);
    try {
      assertThat(failure(client.ask(serving.address(), QUESTION)))
          .hasMessageContaining("io/cairn/Missing");
    } finally {
      Security.removeProvider(lacking.getName());
    }

    assertThat(
            client.ask(serving.address(), QUESTION).toCompletableFuture().get(30, TimeUnit.SECONDS))
        .containsExactly(2, 1);
  }

  @Test
  void aBodyCostsNoMemoryBeforeItComes() {
    AtomicInteger gathered = new AtomicInteger();

    new Gathered(Integer.MAX_VALUE, body -> gathered.incrementAndGet()).failed("nothing came");

    assertThat(gathered).hasValue(0);
  }

  @Test
  void aFrameThatStaysUnfinishedEndsItsConnection() throws Exception {
    TcpPeerTransport serving = serve(new Landings(), clock::get);
    RawPeer slow = raw(serving, ignored());
    slow.announce(1 << 20);

    boolean ended = false;
    for (int i = 0; i < 50 && !ended; i++) { // less than the time of an idle connection
      assertServes(serving);
      clock.addAndGet(LATE_NANOS);
      assertServes(serving); // meanwhile it was looked at
      ended = slow.hasEnded();
    }

    assertThat(ended).isTrue();
  }

  private static Landings counted(AtomicInteger asked, byte[] answer) {
    return new Landings() {
      @Override
      public CompletionStage<byte[]> answer(byte[] request) {
        asked.incrementAndGet();
        return request.length == 1
            ? CompletableFuture.completedFuture(answer)
            : super.answer(request);
      }
    };
  }

  @Test
  void answersThatNobodyReadsAreBounded() throws Exception {
    int questions = 80;
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger answered = new AtomicInteger();
    TcpPeerTransport serving = serve(counted(asked, new byte[1 << 20]), System::nanoTime);
    RawPeer greedy =
        raw(
            serving,
            (frame, header) ->
                new Gathered(frame.bodyBytes(), answer -> answered.incrementAndGet()));

    greedy.ask(questions);
    Until.holds(() -> asked.get() > 0);
    assertServes(serving);
    assertServes(serving);

    assertThat(asked).hasValueLessThan(60);
    while (answered.get() < questions) {
      assertThat(greedy.read()).isTrue();
    }
    assertThat(asked).hasValue(questions + 2);
  }

  /** Such as those of an executor's many ranks, whose plan is made when the last has asked. */
  @Test
  void aPeerIsReadWhileManyOfItsQuestionsAreUnanswered() throws Exception {
    int questions = 200;
    List<CompletableFuture<byte[]>> held = new ArrayList<>();
    TcpPeerTransport serving =
        serve(
            new Landings() {
              @Override
              public CompletionStage<byte[]> answer(byte[] request) {
                held.add(new CompletableFuture<>());
                if (held.size() == questions) {
                  held.forEach(each -> each.complete(request));
                }
                return held.get(held.size() - 1);
              }
            },
            System::nanoTime);
    TcpPeerClient client = client(NetLoops.start(System::nanoTime), TcpPeerClient.CONNECTING);
    List<CompletionStage<byte[]>> asked = new ArrayList<>();
    for (int i = 0; i < questions; i++) {
      asked.add(client.ask(serving.address(), QUESTION));
    }
    for (CompletionStage<byte[]> each : asked) {
      assertThat(each.toCompletableFuture().get(30, TimeUnit.SECONDS)).isEqualTo(QUESTION);
    }
  }

  @Test
  void aPeerThatTakesNoAnswerIsLetGo() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    CompletableFuture<byte[]> held = new CompletableFuture<>();
    TcpPeerTransport serving =
        serve(
            new Landings() {
              @Override
              public CompletionStage<byte[]> answer(byte[] request) {
                if (request.length != 1) {
                  return super.answer(request);
                } else if (asked.incrementAndGet() > 1) {
                  return CompletableFuture.completedFuture(new byte[2 << 20]);
                }
                return held;
              }
            },
            clock::get);
    RawPeer idle = raw(serving, ignored());
    idle.ask(10);
    assertServes(serving);
    Until.holds(() -> asked.get() > 5);

    for (int i = 0; i < 50 && !held.isDone(); i++) { // less than the time of an idle connection
      clock.addAndGet(LATE_NANOS);
      assertServes(serving); // meanwhile it was looked at
    }

    assertThatThrownBy(() -> held.get(20, TimeUnit.SECONDS))
        .isInstanceOf(CancellationException.class);
  }

  @Test
  void aClientOfAnotherVersionIsToldThisOne() throws Exception {
    TcpPeerTransport serving = serve(new Landings(), System::nanoTime);
    try (Socket other = new Socket(InetAddress.getLoopbackAddress(), serving.address().port())) {
      other.setSoTimeout(20_000);
      byte[] sent = Arrays.copyOf("CAIRN/1 Q\r\n\r\n".getBytes(StandardCharsets.US_ASCII), 1000);
      other.getOutputStream().write(sent);

      assertThat(other.getInputStream().readAllBytes())
          .asString(StandardCharsets.US_ASCII)
          .isEqualTo("CAIRN/2 SS\r\n\r\n");
    }
  }

  @Test
  void aServerOfAnotherVersionIsAnErrorAtOnce() throws Exception {
    try (Greeter other = new Greeter("CAIRN/1 S\r\n\r\n")) {
      TcpPeerClient client = client(NetLoops.start(System::nanoTime), TcpPeerClient.CONNECTING);

      PeerException failure = failure(client.ask(other.address(), QUESTION));

      assertThat(failure.reason()).isEqualTo(Reason.UNPROVEN);
      assertThat(failure).hasMessageContaining("another version");
    }
  }

  /**
   * Its owner may change the request once the call has failed. The peer takes half of the
   * questions, slowly, which is more than the system buffers.
   */
  @Test
  void aLateQuestionThatWasNotTakenWholeEndsItsConnection() throws Exception {
    CompletableFuture<Void> asked = new CompletableFuture<>();
    CompletableFuture<Void> begun = new CompletableFuture<>();
    CompletableFuture<Void> mayRead = new CompletableFuture<>();
    CompletableFuture<Void> half = new CompletableFuture<>();
    CompletableFuture<Void> mayEnd = new CompletableFuture<>();
    CompletableFuture<Long> taken = new CompletableFuture<>();
    try (ServerSocket at = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      DaemonThreads.unstarted(
              "slow",
              () -> {
                try (Socket client = at.accept()) {
                  asked.join();
                  greet(client);
                  begun.complete(null);
                  mayRead.join();
                  long first =
                      client.getInputStream().readNBytes(SLOW_QUESTIONS * (2 << 20)).length;
                  half.complete(null);
                  mayEnd.join();
                  client.setSoTimeout(5_000);
                  taken.complete(
                      first + client.getInputStream().transferTo(OutputStream.nullOutputStream()));
                } catch (IOException e) {
                  taken.completeExceptionally(e);
                }
              })
          .start();
      TcpPeerClient client = client(NetLoops.start(clock::get), TcpPeerClient.CONNECTING);
      PeerAddress to = new PeerAddress("127.0.0.1", at.getLocalPort());
      List<CompletionStage<byte[]>> calls = new ArrayList<>();
      for (int i = 0; i < SLOW_QUESTIONS; i++) {
        calls.add(client.ask(to, new byte[4 << 20]));
      }
      asked.complete(null);
      begun.get(20, TimeUnit.SECONDS);
      clock.set(LATE_NANOS / 2);
      mayRead.complete(null);
      half.get(20, TimeUnit.SECONDS);

      clock.set(LATE_NANOS);

      for (CompletionStage<byte[]> call : calls) {
        assertThat(failure(call).reason()).isEqualTo(Reason.LOST);
      }
      mayEnd.complete(null);
      assertThat(taken.get(20, TimeUnit.SECONDS)).isLessThan(SLOW_QUESTIONS * (4L << 20));
    }
  }

  /** Ends when the first byte of the first question has come. */
  private static void greet(Socket client) throws IOException {
    Session unused = RawServer.greet(client, TcpPeerProcess.secret());
    int first = client.getInputStream().readNBytes(1).length;
    assertThat(first).isEqualTo(1);
  }

  /** Such as while a name server hangs. */
  @Test
  void aCallThatWaitsForAConnectionHasADeadline() throws Exception {
    TcpPeerClient client =
        client(NetLoops.start(clock::get), task -> DaemonThreads.unstarted("hangs", () -> {}));
    CompletionStage<byte[]> call = client.ask(NOBODY, QUESTION);

    clock.set(LATE_NANOS);

    PeerException failure = failure(call);
    assertThat(failure.reason()).isEqualTo(Reason.UNCONNECTED);
    assertThat(failure).hasMessageContaining("20000 ms");
  }

  @Test
  void aLoopThatHasEndedBreaksTheTransport() throws Exception {
    TcpPeerTransport serving = serve(new Landings(), System::nanoTime);
    NetLoops loops = NetLoops.start(System::nanoTime);
    TcpPeerClient client = client(loops, TcpPeerClient.CONNECTING);
    loops.questions().close();

    PeerException failure = failure(client.ask(serving.address(), QUESTION));

    assertThat(failure.reason()).isEqualTo(Reason.BROKEN);
  }
}
