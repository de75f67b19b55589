package io.cairn.core.peer;

import io.cairn.core.peer.PeerException.Reason;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One call between two peers of this JVM; whichever end dies or closes ends it. Thread-safe. */
final class LoopbackCall<T extends @Nullable Object> {
  private final LoopbackPeer receiver;
  private final String act;
  private final CompletableFuture<T> stage = new CompletableFuture<>();

  LoopbackCall(LoopbackPeer receiver, String act) {
    this.receiver = receiver;
    this.act = act;
  }

  CompletableFuture<T> stage() {
    return stage;
  }

  void whenEnded(Runnable then) {
    CompletionStage<T> open = stage;
    open.whenComplete((value, thrown) -> then.run());
  }

  boolean receiverIsDead() {
    return receiver.isDead();
  }

  /** Reads from the body only while the call is open; 0 if it is not. */
  synchronized int read(ByteBuffer body, byte[] slice, int atMost) {
    if (stage.isDone()) {
      return 0;
    }
    int bytes = Math.min(atMost, body.remaining());
    body.get(slice, 0, bytes);
    return bytes;
  }

  synchronized void succeed(T value) {
    stage.complete(value);
  }

  synchronized void fail(Reason reason, String why) {
    stage.completeExceptionally(new PeerException(receiver.address(), reason, act, why));
  }

  /** The receiver said no: with the message of what it threw. */
  void refuse(Throwable thrown) {
    String message = thrown.getMessage();
    fail(Reason.REFUSED, message == null ? thrown.getClass().getSimpleName() : message);
  }
}
