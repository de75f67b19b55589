package io.cairn.engine.nodes;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Questions to other processes, each with a bounded wait. Thread-safe.
 *
 * @param patience how long an answer is waited for
 */
record Asking(PeerTransport transport, Duration patience) {
  /** Asks; fails after the patience, or if the reply is not of the expected class. */
  <R extends PeerReply> CompletableFuture<R> ask(
      PeerAddress peer, PeerRequest request, Class<R> expected) {
    return transport
        .ask(peer, Wire.encode(request))
        .thenApply(bytes -> Wire.decodePeerReply(bytes, expected))
        .toCompletableFuture()
        .orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Waits for an answer.
   *
   * @param who names the peer in the failure
   * @throws IOException if none comes, or the wait is interrupted
   */
  static <R> R await(CompletableFuture<R> answer, Object who) throws IOException {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw new IOException(who + " gives no answer: " + reason(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("interrupted while " + who + " was asked").initCause(e);
    }
  }

  /** The cause of a failed stage, for people. */
  static String reason(Throwable failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }
}
