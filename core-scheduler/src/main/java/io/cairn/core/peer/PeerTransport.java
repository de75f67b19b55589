package io.cairn.core.peer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;

/**
 * Carries messages and chunks between processes, each of which serves a {@link PeerService} at its
 * own {@link #address}. Thread-safe. No method but {@link #close} waits.
 *
 * <p>Every stage completes within the transport's time limits: normally, or with a {@link
 * PeerException} that names the peer, the attempt and the cause. The transport repeats nothing; the
 * caller decides whether a lost push or question may be repeated. A lost connection fails every
 * call that was under way or waiting for it, and a later call connects anew. Failures do not affect
 * other peers. Dependents of a stage run on the transport's threads and must not wait.
 *
 * <p>Questions of one thread reach a peer in their order, and so do its pushes. A question never
 * waits behind a push.
 *
 * <p>Bounds: a window in bytes for the bodies under way to one peer; a number of waiting calls,
 * beyond which a call fails with {@link PeerException.Reason#OVERLOADED}; a number of connections;
 * and the lengths below, beyond which a call throws {@link IllegalArgumentException}.
 */
public interface PeerTransport extends AutoCloseable {
  /** The longest question or answer: 4 MiB of payload, and room for the fields around it. */
  int MAX_MESSAGE_BYTES = (4 << 20) + 4096;

  /** The longest header of a push. */
  int MAX_HEADER_BYTES = 64 << 10;

  /** The longest body of a push. */
  int MAX_BODY_BYTES = 256 << 20;

  /** Opens a transport that delivers requests to a service. */
  @FunctionalInterface
  interface Opening {
    /**
     * The transport, which the caller closes.
     *
     * @throws IOException if this process cannot serve
     */
    PeerTransport open(PeerService service) throws IOException;
  }

  /** The address at which this process serves. */
  PeerAddress address();

  /**
   * Asks a peer; completes with the result of its {@link PeerService#answer}.
   *
   * @param request not changed until the stage has completed
   */
  CompletionStage<byte[]> ask(PeerAddress peer, byte[] request);

  /**
   * Sends one chunk. Completes normally when the receiver's {@link PeerSink#complete} has returned.
   * If the peer dies in mid-push the stage fails with {@link PeerException.Reason#LOST}; if this
   * process dies the receiver's sink has {@link PeerSink#failed} called.
   *
   * @param header not changed until the stage has completed
   * @param body from its position to its limit, neither of which changes. It may be sent from where
   *     it lies: it must stay mapped and unchanged until the stage has completed, normally or not;
   *     then the transport reads it no more
   */
  CompletionStage<Void> push(PeerAddress peer, byte[] header, ByteBuffer body);

  /**
   * Ends all work: open stages fail with {@link PeerException.Reason#CLOSED} and open sinks are
   * failed. When this returns, no sink is called and no body is read any more. Waits for running
   * services and sinks, so it must not be called from them. Idempotent.
   */
  @Override
  void close();
}
