package io.cairn.engine.net;

import io.cairn.core.peer.OpenAnswers;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.peer.Refusal;
import io.cairn.core.threads.DaemonThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The server's end of a connection of one peer. On the connection's loop only. */
final class ServedPeer implements NetConnection.Owner {
  /** Bytes of answers that a peer has not taken, beyond which nothing more is read from it. */
  private static final long MOST_QUEUED_BYTES = 8 << 20;

  /** Bytes of a peer's questions that are unanswered, at which nothing more is read from it. */
  private static final long MOST_UNANSWERED_BYTES = 128 << 20;

  /** A peer that comes back connects anew. */
  private static final Duration IDLE = Duration.ofMinutes(30);

  private final PeerService service;
  private final PeerLimits limits;
  private final NetLoop loop;
  private final boolean pushes;
  private final AtomicInteger questions;
  private final Runnable whenEnded;
  private final OpenAnswers answers = new OpenAnswers();
  private final NetConnection connection;
  private int unanswered;
  private long unansweredBytes;

  /** Of answers that are made, and not queued yet. */
  private final AtomicLong answeredBytes = new AtomicLong();

  /**
   * A peer that has proven the secret.
   *
   * @param questions of all peers that are not answered yet
   */
  ServedPeer(
      PeerService service,
      PeerLimits limits,
      NetLoop loop,
      SocketChannel channel,
      Session session,
      boolean pushes,
      AtomicInteger questions,
      Runnable whenEnded) {
    this.service = service;
    this.limits = limits;
    this.loop = loop;
    this.pushes = pushes;
    this.questions = questions;
    this.whenEnded = whenEnded;
    this.connection =
        new NetConnection(
            loop,
            channel,
            session.toServer(),
            session.toClient(),
            this,
            pushes ? limits.push() : limits.answer());
  }

  NetConnection connection() {
    return connection;
  }

  @Override
  public PeerSink begin(Frame frame, byte[] header) throws IOException {
    if (frame.kind() != (pushes ? Frame.Kind.PUSH : Frame.Kind.QUESTION)) {
      throw new IOException("a " + frame.kind() + " on a connection for others");
    }
    return pushes
        ? push(frame, header)
        : new Gathered(frame.bodyBytes(), request -> ask(frame.number(), request));
  }

  private PeerSink push(Frame frame, byte[] header) {
    PeerSink sink = null;
    String refusal = null;
    try {
      sink = service.receive(header, frame.bodyBytes());
    } catch (IOException | RuntimeException e) {
      refusal = Refusal.of(e);
    }
    return new ServedPush(
        frame.bodyBytes(),
        sink,
        refusal,
        why ->
            why.ifPresentOrElse(
                text -> refuse(frame.number(), text), () -> done(frame.number(), new byte[0])));
  }

  private void ask(long number, byte[] request) {
    if (questions.get() >= limits.maxQuestions()) {
      refuse(number, limits.maxQuestions() + " questions are open");
      return;
    }
    questions.incrementAndGet();
    unanswered++;
    unansweredBytes += request.length;
    CompletableFuture<byte[]> answering = answer(request).toCompletableFuture();
    long key = answers.add(answering);
    var unused =
        answering.whenComplete(
            (answer, failure) -> {
              answers.remove(key);
              questions.decrementAndGet();
              long bytes = answer == null ? 0 : answer.length;
              answeredBytes.addAndGet(bytes);
              loop.soon(
                  () -> {
                    unanswered--;
                    unansweredBytes -= request.length;
                    answeredBytes.addAndGet(-bytes);
                    reply(number, answer, failure);
                  });
            });
  }

  private CompletionStage<byte[]> answer(byte[] request) {
    try {
      return service.answer(request);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    } catch (Error e) {
      DaemonThreads.report("The service for peers", e);
      return CompletableFuture.failedFuture(e);
    }
  }

  private void reply(long number, byte @Nullable [] answer, @Nullable Throwable failure) {
    if (failure != null || answer == null) {
      refuse(number, failure == null ? "no answer" : Refusal.of(failure));
    } else if (answer.length > PeerTransport.MAX_MESSAGE_BYTES) {
      refuse(number, "its answer has " + answer.length + " bytes");
    } else {
      done(number, answer);
    }
  }

  private void done(long number, byte[] answer) {
    connection.send(Frame.Kind.DONE, number, ByteBuffer.allocate(0), ByteBuffer.wrap(answer));
  }

  private void refuse(long number, String why) {
    byte[] text =
        why.substring(0, Math.min(why.length(), Frame.MOST_REASON_BYTES / 4))
            .getBytes(StandardCharsets.UTF_8);
    connection.send(Frame.Kind.REFUSED, number, ByteBuffer.allocate(0), ByteBuffer.wrap(text));
  }

  @Override
  public boolean holdsBack(long queuedBytes) {
    return queuedBytes + answeredBytes.get() > MOST_QUEUED_BYTES
        || unansweredBytes >= MOST_UNANSWERED_BYTES
        || unanswered >= limits.maxWaiting(); // as many as a peer asks
  }

  @Override
  public void look(long nowNanos) {
    if (nowNanos - connection.receivedNanos() >= IDLE.toNanos()) {
      connection.end(new IOException("nothing came for " + IDLE));
    }
  }

  @Override
  public void ended(Throwable cause) {
    answers.cancel();
    whenEnded.run();
  }
}
