package io.cairn.engine.nodes;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.coordination.Waits;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * Questions to other processes, each with a bounded wait. Thread-safe.
 *
 * @param patience how long an answer is waited for
 * @param waits for answers
 */
record Asking(PeerTransport transport, Duration patience, Waits waits) {
  /** Waits in real time. */
  Asking(PeerTransport transport, Duration patience) {
    this(transport, patience, Waits.REAL);
  }

  /** The same, which waits for an answer no longer than a time. */
  Asking within(Duration most) {
    return new Asking(transport, patience.compareTo(most) <= 0 ? patience : most, waits);
  }

  /** Asks; fails after the patience, or if the reply is not of the expected class. */
  <R extends PeerReply> CompletableFuture<R> ask(
      PeerAddress peer, PeerRequest request, Class<R> expected) {
    return waits.failAfter(
        transport
            .ask(peer, Wire.encode(request))
            .thenApply(bytes -> Wire.decode(bytes, expected))
            .toCompletableFuture(),
        patience.toNanos());
  }

  /**
   * Waits for an answer that {@link #ask} gave, or for one that follows from some of these.
   *
   * @param who names the peer in the failure
   * @throws IOException if none comes, or the wait is interrupted
   */
  <R> R await(CompletableFuture<R> answer, Object who) throws IOException {
    try {
      boolean complete = false;
      while (!complete) { // each question ends after the patience, and only few follow each other
        complete = waits.await(answer, patience.toNanos());
      }
      return answer.get();
    } catch (ExecutionException e) {
      throw new IOException(who + " gives no answer: " + reason(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("interrupted while " + who + " was asked").initCause(e);
    }
  }

  /** Waits for a time before the next question. */
  void pause(Duration time) throws InterruptedIOException {
    try {
      waits.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("interrupted between two questions").initCause(e);
    }
  }

  /** Whether a peer gave no answer. One that refuses, or sends bad bytes, is alive. */
  static boolean isSilence(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof TimeoutException) {
        return true;
      } else if (each instanceof PeerException peer) {
        return peer.reason() == PeerException.Reason.UNREACHABLE
            || peer.reason() == PeerException.Reason.UNCONNECTED
            || peer.reason() == PeerException.Reason.LOST;
      }
    }
    return false;
  }

  /** Whether a peer is alive and refused, or already has as many questions as it takes. */
  static boolean isRefusal(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof PeerException peer) {
        return peer.reason() == PeerException.Reason.REFUSED
            || peer.reason() == PeerException.Reason.OVERLOADED;
      }
    }
    return false;
  }

  /** Whether a peer rejected the connection, as a living machine does for a process that died. */
  static boolean isGone(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof PeerException peer) {
        return peer.reason() == PeerException.Reason.UNREACHABLE;
      }
    }
    return false;
  }

  /** The cause of a failed stage, for people. */
  static String reason(Throwable failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }
}
