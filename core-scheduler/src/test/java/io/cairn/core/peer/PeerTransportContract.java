package io.cairn.core.peer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.core.peer.PeerException.Reason;
import io.cairn.core.threads.DaemonThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract that every {@link PeerTransport} keeps. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class PeerTransportContract {
  private static final int CHUNK_BYTES = 4 << 20;

  private final List<PeerTransport> opened = new ArrayList<>();

  /** For a concrete transport's test. */
  protected PeerTransportContract() {}

  /** A transport that serves, with time limits that no test reaches. */
  protected abstract PeerTransport serve(PeerService service) throws IOException;

  /** The same with time limits well under a second. */
  protected abstract PeerTransport serveImpatiently(PeerService service) throws IOException;

  /** A peer that is busy as soon as a {@link Stalling} service has taken the first bytes. */
  protected abstract MortalPeer mortalReceiver() throws Exception;

  /** A peer that sends {@code to} one push of 64 MiB, and is busy as soon as it has begun. */
  protected abstract MortalPeer mortalSender(PeerAddress to) throws Exception;

  /** An address of this machine at which nobody serves. */
  protected abstract PeerAddress nobody() throws IOException;

  @AfterEach
  void closeAll() {
    opened.forEach(PeerTransport::close);
  }

  /** Opens one that is closed after the test. */
  protected final PeerTransport open(PeerService service) throws IOException {
    PeerTransport transport = serve(service);
    opened.add(transport);
    return transport;
  }

  private PeerTransport openImpatient(PeerService service) throws IOException {
    PeerTransport transport = serveImpatiently(service);
    opened.add(transport);
    return transport;
  }

  /** Direct memory with content that follows from the seed. */
  protected static ByteBuffer body(int bytes, long seed) {
    byte[] content = new byte[bytes];
    new Random(seed).nextBytes(content);
    return ByteBuffer.allocateDirect(bytes).put(content).flip();
  }

  /** The outcome, waited for. */
  protected static <T extends @Nullable Object> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  /** The failure, waited for; it names the peer. */
  protected static PeerException failure(CompletionStage<?> stage, PeerAddress peer)
      throws Exception {
    try {
      get(stage);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof PeerException failure) {
        assertThat(failure).hasMessageContaining(" to peer " + peer + ": ");
        assertThat(failure).hasMessageContaining(peer.toString());
        return failure;
      }
      throw e;
    }
    throw new AssertionError("a call to " + peer + " succeeded");
  }

  @Test
  void questionsAreAnsweredUpToTheLongest() throws Exception {
    PeerAddress peer = open(new Landings()).address();
    PeerTransport transport = open(new Landings());
    for (int bytes : new int[] {0, 1, 100_000, PeerTransport.MAX_MESSAGE_BYTES}) {
      byte[] question = new byte[bytes];
      new Random(bytes).nextBytes(question);
      assertThat(get(transport.ask(peer, question)))
          .as("%d bytes", bytes)
          .isEqualTo(Landings.reversed(question));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> transport.ask(peer, new byte[PeerTransport.MAX_MESSAGE_BYTES + 1]))
        .withMessageContaining(Integer.toString(PeerTransport.MAX_MESSAGE_BYTES));
  }

  @Test
  void questionsOfOneThreadArriveInTheirOrderWhileAnswersComeBack() throws Exception {
    int questions = 20_000;
    List<Integer> arrived = Collections.synchronizedList(new ArrayList<>());
    PeerAddress peer =
        open(new Landings() {
              @Override
              public CompletionStage<byte[]> answer(byte[] request) {
                arrived.add(ByteBuffer.wrap(request).getInt());
                return CompletableFuture.completedFuture(request);
              }
            })
            .address();
    PeerTransport transport = open(new Landings());
    Semaphore mayWait = new Semaphore(500);
    List<CompletionStage<byte[]>> answers = new ArrayList<>();
    for (int question = 0; question < questions; question++) {
      mayWait.acquire();
      byte[] request = ByteBuffer.allocate(Integer.BYTES).putInt(question).array();
      answers.add(
          transport.ask(peer, request).whenComplete((answer, failure) -> mayWait.release()));
    }
    for (CompletionStage<byte[]> answer : answers) {
      get(answer);
    }
    assertThat(arrived).isEqualTo(IntStream.range(0, questions).boxed().toList());
  }

  @Test
  void answersMayComeLaterAndInAnyOrder() throws Exception {
    BlockingQueue<CompletableFuture<byte[]>> held = new LinkedBlockingQueue<>();
    PeerAddress peer =
        open(new Landings() {
              @Override
              public CompletionStage<byte[]> answer(byte[] request) {
                CompletableFuture<byte[]> answer = new CompletableFuture<>();
                held.add(answer);
                return answer;
              }
            })
            .address();
    PeerTransport transport = open(new Landings());
    CompletionStage<byte[]> first = transport.ask(peer, new byte[] {1});
    CompletableFuture<byte[]> firstHeld = held.take();
    CompletionStage<byte[]> second = transport.ask(peer, new byte[] {2});
    held.take().complete(new byte[] {20});
    assertThat(get(second)).containsExactly(20);
    assertThat(first.toCompletableFuture()).isNotDone();
    firstHeld.complete(new byte[] {10});
    assertThat(get(first)).containsExactly(10);
  }

  @Test
  void whatAServiceThrowsOrFailsWithReachesTheAsker() throws Exception {
    PeerAddress peer =
        open(new Landings() {
              @Override
              public CompletionStage<byte[]> answer(byte[] request) {
                return switch (request[0]) {
                  case 1 -> CompletableFuture.failedFuture(new IOException("no such group"));
                  case 2 ->
                      CompletableFuture.completedFuture(
                          new byte[PeerTransport.MAX_MESSAGE_BYTES + 1]);
                  default -> throw new IllegalStateException("not that");
                };
              }
            })
            .address();
    PeerTransport transport = open(new Landings());
    List<String> reasons =
        List.of("not that", "no such group", (PeerTransport.MAX_MESSAGE_BYTES + 1) + " bytes");
    for (String expected : reasons) {
      byte which = (byte) reasons.indexOf(expected);
      PeerException refused = failure(transport.ask(peer, new byte[] {which}), peer);
      assertThat(refused.reason()).isEqualTo(Reason.REFUSED);
      assertThat(refused).hasMessageContaining(expected);
    }
  }

  @Test
  void chunksOfALargeBodyLandInOrderBitForBit() throws Exception {
    Landings landings = new Landings();
    PeerAddress peer = open(landings).address();
    PeerTransport transport = open(new Landings());
    ByteBuffer whole = body(64 << 20, 1);
    List<String> names = new ArrayList<>();
    List<CompletionStage<Void>> pushes = new ArrayList<>();
    for (int at = 0; at < whole.capacity(); at += CHUNK_BYTES) {
      names.add("chunk " + at);
      ByteBuffer chunk = whole.slice(at, CHUNK_BYTES);
      pushes.add(transport.push(peer, ("chunk " + at).getBytes(UTF_8), chunk));
      assertThat(chunk.remaining()).as("the caller's buffer is left alone").isEqualTo(CHUNK_BYTES);
    }
    for (int i = 0; i < pushes.size(); i++) {
      get(pushes.get(i));
      assertThat(landings.checksums())
          .containsEntry(
              names.get(i), Landings.checksum(whole.slice(i * CHUNK_BYTES, CHUNK_BYTES)));
    }
    assertThat(landings.begun()).containsExactlyElementsOf(names);
  }

  @Test
  void anyBufferAndAnyLengthIsTaken() throws Exception {
    Landings landings = new Landings();
    PeerAddress peer = open(landings).address();
    PeerTransport transport = open(new Landings());
    ByteBuffer inTheMiddle = body(1000, 2).position(17).limit(900);
    Map<String, ByteBuffer> bodies =
        Map.of(
            "nothing", ByteBuffer.allocate(0),
            "one byte", body(1, 3),
            "read-only", body(70_001, 4).asReadOnlyBuffer(),
            "heap", ByteBuffer.wrap(new byte[] {1, 2, 3}),
            "middle", inTheMiddle,
            "", body(5, 5));
    for (Map.Entry<String, ByteBuffer> each : bodies.entrySet()) {
      get(transport.push(peer, each.getKey().getBytes(UTF_8), each.getValue()));
      assertThat(landings.checksums())
          .containsEntry(each.getKey(), Landings.checksum(each.getValue()));
    }
    assertThat(inTheMiddle.position()).isEqualTo(17);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                transport.push(
                    peer, new byte[PeerTransport.MAX_HEADER_BYTES + 1], ByteBuffer.allocate(0)))
        .withMessageContaining("header");
  }

  @Test
  void manyThreadsPushAndAskAtOnce() throws Exception {
    Landings landings = new Landings();
    PeerAddress peer = open(landings).address();
    PeerTransport transport = open(new Landings());
    Map<String, Long> sent = new ConcurrentHashMap<>();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Boolean>> work = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        int thread = t;
        work.add(
            () -> {
              List<CompletionStage<Void>> pushes = new ArrayList<>();
              for (int i = 0; i < 20; i++) {
                String name = thread + "/" + i;
                ByteBuffer body = body(100_000 + 7919 * i, 100L * thread + i);
                sent.put(name, Landings.checksum(body));
                pushes.add(transport.push(peer, name.getBytes(UTF_8), body));
                assertThat(get(transport.ask(peer, new byte[] {1, 2}))).containsExactly(2, 1);
              }
              for (CompletionStage<Void> push : pushes) {
                get(push);
              }
              return true;
            });
      }
      for (Future<Boolean> done : threads.invokeAll(work)) {
        assertThat(done.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(landings.checksums()).isEqualTo(sent);
  }

  @Test
  void aRefusedPushLeavesTheOthersAlone() throws Exception {
    Landings landings =
        new Landings() {
          @Override
          public PeerSink receive(byte[] header, long bytes) throws IOException {
            if (header.length == 0) {
              throw new IOException("no slot of " + bytes + " bytes was granted");
            }
            return super.receive(header, bytes);
          }
        };
    PeerAddress peer = open(landings).address();
    PeerTransport transport = open(new Landings());
    CompletionStage<Void> before = transport.push(peer, new byte[] {'b'}, body(CHUNK_BYTES, 6));
    CompletionStage<Void> refused = transport.push(peer, new byte[0], body(CHUNK_BYTES, 7));
    CompletionStage<Void> after = transport.push(peer, new byte[] {'a'}, body(CHUNK_BYTES, 8));
    get(before);
    get(after);
    PeerException failure = failure(refused, peer);
    assertThat(failure.reason()).isEqualTo(Reason.REFUSED);
    assertThat(failure)
        .hasMessageContaining("push of 4194304 bytes")
        .hasMessageContaining("no slot of 4194304 bytes was granted");
    assertThat(landings.checksums()).containsOnlyKeys("a", "b");
  }

  @Test
  void aSinkThatThrowsIsCalledNoMoreAndTheOthersGoOn() throws Exception {
    BlockingQueue<String> calls = new LinkedBlockingQueue<>();
    Landings landings =
        new Landings() {
          @Override
          public PeerSink receive(byte[] header, long bytes) throws IOException {
            return header.length == 1 ? super.receive(header, bytes) : new Throwing(calls, header);
          }
        };
    PeerAddress peer = open(landings).address();
    PeerTransport transport = open(new Landings());
    CompletionStage<Void> inData = transport.push(peer, "data".getBytes(UTF_8), body(300_000, 9));
    CompletionStage<Void> atEnd = transport.push(peer, "end".getBytes(UTF_8), body(10, 10));
    CompletionStage<Void> after = transport.push(peer, new byte[] {'a'}, body(CHUNK_BYTES, 11));
    get(after);
    assertThat(failure(inData, peer)).hasMessageContaining("the slot is gone");
    PeerException failure = failure(atEnd, peer);
    assertThat(failure.reason()).isEqualTo(Reason.REFUSED);
    assertThat(failure).hasMessageContaining("it does not verify");
    assertThat(calls).containsExactly("data", "end");
  }

  /** Throws in its first data, or when complete; says what it was called for until then. */
  private record Throwing(BlockingQueue<String> calls, String where) implements PeerSink {
    Throwing(BlockingQueue<String> calls, byte[] header) {
      this(calls, new String(header, UTF_8));
    }

    @Override
    public void data(ByteBuffer slice) throws IOException {
      if (where.equals("data")) {
        calls.add("data");
        throw new IOException("the slot is gone");
      }
    }

    @Override
    public void complete() {
      calls.add(where);
      throw new IllegalStateException("it does not verify");
    }

    @Override
    public void failed(String reason) {
      calls.add("failed");
    }
  }

  @Test
  void aReceiverThatDiesInMidPushIsLost() throws Exception {
    PeerTransport transport = open(new Landings());
    try (MortalPeer receiver = mortalReceiver()) {
      PeerAddress peer = receiver.address();
      CompletionStage<byte[]> question = transport.ask(peer, new byte[] {1});
      CompletionStage<Void> first = transport.push(peer, new byte[0], body(64 << 20, 12));
      CompletionStage<Void> second = transport.push(peer, new byte[0], body(CHUNK_BYTES, 13));
      receiver.awaitBusy();
      receiver.kill();
      for (CompletionStage<?> call : List.of(question, first, second)) {
        assertThat(failure(call, peer).reason()).isEqualTo(Reason.LOST);
      }
      assertThat(failure(transport.ask(peer, new byte[0]), peer).reason())
          .isEqualTo(Reason.UNREACHABLE);
    }
  }

  @Test
  void aSenderThatDiesInMidPushFailsItsSink() throws Exception {
    Stalling stalling = new Stalling();
    PeerTransport transport = open(stalling);
    try (MortalPeer sender = mortalSender(transport.address())) {
      stalling.awaitStalled();
      sender.kill();
    } finally {
      stalling.release();
    }
    assertThat(stalling.failed().take()).contains("67108864");
    assertThat(stalling.checksums()).isEmpty();
  }

  @Test
  void nobodyIsUnreachable() throws Exception {
    PeerTransport transport = open(new Landings());
    PeerAddress peer = nobody();
    assertThat(failure(transport.ask(peer, new byte[0]), peer).reason())
        .isEqualTo(Reason.UNREACHABLE);
    assertThat(failure(transport.push(peer, new byte[0], body(10, 14)), peer).reason())
        .isEqualTo(Reason.UNREACHABLE);
  }

  @Test
  void patienceEnds() throws Exception {
    Stalling stalling = new Stalling();
    PeerAddress peer = open(stalling).address();
    PeerTransport transport = openImpatient(new Landings());
    try {
      PeerException unanswered = failure(transport.ask(peer, new byte[0]), peer);
      assertThat(unanswered.reason()).isEqualTo(Reason.LOST);
      assertThat(unanswered).hasMessageContaining("within");
      PeerException untaken = failure(transport.push(peer, new byte[0], body(64 << 20, 15)), peer);
      assertThat(untaken.reason()).isEqualTo(Reason.LOST);
      assertThat(untaken).hasMessageContaining("within");
    } finally {
      stalling.release();
    }
    assertThat(stalling.failed().take()).isNotEmpty();
  }

  @Test
  void closingFailsWhatIsOpenOnBothSides() throws Exception {
    Stalling stalling = new Stalling();
    PeerTransport receiver = open(stalling);
    PeerTransport transport = open(new Landings());
    PeerAddress peer = receiver.address();
    CompletionStage<byte[]> question = transport.ask(peer, new byte[0]);
    CompletionStage<Void> push = transport.push(peer, new byte[0], body(64 << 20, 16));
    stalling.awaitStalled();
    CompletableFuture<Void> closing = CompletableFuture.runAsync(transport::close);
    assertThat(failure(question, peer).reason()).isEqualTo(Reason.CLOSED);
    assertThat(failure(push, peer).reason()).isEqualTo(Reason.CLOSED);
    stalling.release();
    get(closing);
    assertThat(stalling.failed().take()).isNotEmpty();
    transport.close();
    assertThat(failure(transport.ask(peer, new byte[0]), peer).reason()).isEqualTo(Reason.CLOSED);
  }

  @Test
  void aClosedReceiverFailsItsSinksBeforeItReturns() throws Exception {
    Stalling stalling = new Stalling();
    PeerTransport receiver = open(stalling);
    PeerTransport transport = open(new Landings());
    CompletionStage<Void> push =
        transport.push(receiver.address(), new byte[0], body(64 << 20, 17));
    stalling.awaitStalled();
    CompletableFuture<Integer> failedWhenClosed = new CompletableFuture<>();
    Thread closer =
        DaemonThreads.unstarted(
            "closer",
            () -> {
              receiver.close();
              failedWhenClosed.complete(stalling.failed().size());
            });
    closer.start();
    // else the push may be taken before the receiver begins to close
    while (!push.toCompletableFuture().isDone() && !isWaiting(closer)) {
      Thread.onSpinWait();
    }
    stalling.release();
    assertThat(get(failedWhenClosed)).isEqualTo(1);
    assertThat(failure(push, receiver.address()).reason()).isEqualTo(Reason.LOST);
  }

  private static boolean isWaiting(Thread thread) {
    Thread.State state = thread.getState();
    return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
  }

  @Test
  void tooManyOpenQuestionsAreRefusedAtHome() throws Exception {
    Stalling silent = new Stalling();
    PeerAddress peer = open(silent).address();
    PeerTransport transport = open(new Landings());
    List<CompletionStage<byte[]>> open = new ArrayList<>();
    while (open.isEmpty() || !open.get(open.size() - 1).toCompletableFuture().isDone()) {
      assertThat(open).as("questions that may be open").hasSizeLessThan(10_000);
      open.add(transport.ask(peer, new byte[0]));
    }
    assertThat(failure(open.get(open.size() - 1), peer).reason()).isEqualTo(Reason.OVERLOADED);
    transport.close();
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(() -> get(open.get(0)))
        .withMessageContaining("closed");
  }
}
