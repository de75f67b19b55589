package io.cairn.core.peer;

import io.cairn.core.peer.PeerException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One peer of {@link LoopbackPeers}. Thread-safe. */
final class LoopbackPeer implements PeerTransport {
  private static final int MAX_OPEN = 1000;

  private final LoopbackPeers peers;
  private final PeerAddress address;
  private final PeerService service;
  private final Duration patience;
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final Set<LoopbackCall<?>> sent = ConcurrentHashMap.newKeySet();
  private final Set<LoopbackCall<?>> received = ConcurrentHashMap.newKeySet();

  private volatile boolean closed;
  private volatile boolean dead;

  LoopbackPeer(LoopbackPeers peers, PeerAddress address, PeerService service, Duration patience) {
    this.peers = peers;
    this.address = address;
    this.service = service;
    this.patience = patience;
  }

  private interface Work<T extends @Nullable Object> {
    void begin(LoopbackPeer receiver, LoopbackCall<T> call) throws IOException;
  }

  @Override
  public PeerAddress address() {
    return address;
  }

  boolean isDead() {
    return dead;
  }

  @Override
  public CompletionStage<byte[]> ask(PeerAddress peer, byte[] request) {
    requireAtMost(MAX_MESSAGE_BYTES, request.length, "question");
    return this.<byte[]>call(
        peer,
        "question of " + request.length + " bytes",
        (receiver, call) ->
            receiver
                .service
                .answer(request.clone())
                .whenComplete((answer, thrown) -> answered(call, answer, thrown)));
  }

  private static void answered(
      LoopbackCall<byte[]> call, byte @Nullable [] answer, @Nullable Throwable thrown) {
    if (thrown != null) {
      call.refuse(thrown);
    } else if (answer == null || answer.length > MAX_MESSAGE_BYTES) {
      call.refuse(
          new IOException("its answer has " + (answer == null ? 0 : answer.length) + " bytes"));
    } else {
      call.succeed(answer);
    }
  }

  @Override
  public CompletionStage<Void> push(PeerAddress peer, byte[] header, ByteBuffer body) {
    requireAtMost(MAX_HEADER_BYTES, header.length, "header");
    requireAtMost(MAX_BODY_BYTES, body.remaining(), "body");
    ByteBuffer bytes = body.duplicate();
    CompletableFuture<Void> taken = new CompletableFuture<>();
    this.<Boolean>call(
            peer,
            "push of " + body.remaining() + " bytes",
            (receiver, call) -> {
              peers.carry(call, bytes, receiver.service.receive(header, bytes.remaining()));
              call.succeed(true);
            })
        .whenComplete(
            (done, thrown) -> {
              if (thrown == null) {
                taken.complete(null);
              } else {
                taken.completeExceptionally(thrown);
              }
            });
    return taken;
  }

  private static void requireAtMost(int limit, int bytes, String what) {
    if (bytes > limit) {
      throw new IllegalArgumentException(
          "a " + what + " of " + bytes + " bytes, more than " + limit);
    }
  }

  private <T extends @Nullable Object> CompletionStage<T> call(
      PeerAddress peer, String act, Work<T> work) {
    try {
      if (closed) {
        throw new PeerException(peer, Reason.CLOSED, act, "this transport is closed");
      }
      if (sent.size() >= MAX_OPEN) {
        throw new PeerException(peer, Reason.OVERLOADED, act, MAX_OPEN + " calls are open");
      }
      LoopbackPeer receiver = peers.find(peer, act);
      LoopbackCall<T> call = new LoopbackCall<>(receiver, act);
      begin(receiver, call, work);
      return call.stage();
    } catch (PeerException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private <T extends @Nullable Object> void begin(
      LoopbackPeer receiver, LoopbackCall<T> call, Work<T> work) {
    sent.add(call);
    receiver.received.add(call);
    CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS)
        .execute(() -> call.fail(Reason.LOST, "nothing came of it within " + patience));
    call.whenEnded(
        () -> {
          sent.remove(call);
          receiver.received.remove(call);
        });
    try {
      receiver.thread.execute(() -> receiver.serve(call, work));
    } catch (RejectedExecutionException e) {
      call.fail(Reason.UNREACHABLE, "it has just ended");
    }
    if (closed) {
      call.fail(Reason.CLOSED, "this transport is closed");
    }
  }

  private <T extends @Nullable Object> void serve(LoopbackCall<T> call, Work<T> work) {
    if (call.stage().isDone()) {
      return;
    }
    try {
      work.begin(this, call);
    } catch (IOException | RuntimeException e) {
      call.refuse(e);
    }
  }

  void die() {
    dead = true;
    end(Reason.LOST);
  }

  @Override
  public void close() {
    if (dead || closed) {
      return;
    }
    peers.forget(address);
    end(Reason.CLOSED);
    try {
      if (!thread.awaitTermination(10, TimeUnit.SECONDS)) {
        throw new IllegalStateException(address + " is still in a service's hands");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void end(Reason reason) {
    closed = true;
    List.copyOf(sent).forEach(call -> call.fail(reason, "its sender has ended: closed"));
    List.copyOf(received).forEach(call -> call.fail(Reason.LOST, "it has ended"));
    thread.shutdown();
  }
}
