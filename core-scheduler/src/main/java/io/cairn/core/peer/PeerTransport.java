package io.cairn.core.peer;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;

/**
 * Carries messages and chunks between processes, each of which serves a {@link PeerService} at its
 * own {@link #address}. Thread-safe; no method but {@link #close} waits.
 *
 * <p>Every stage completes: normally, or with a {@link PeerException} that names the peer, what was
 * tried and why it failed, within the transport's time limits. Nothing is tried twice: whether a
 * lost push or question may be repeated is the caller's to know. Failed stages of one peer leave
 * others alone, except that when a connection is lost all that was under way or waiting for it is
 * lost with it; a later call connects anew. What depends on a stage runs on the transport's
 * threads, so it never waits.
 *
 * <p>Calls of one thread to one peer begin there in their order: pushes among pushes, questions
 * among questions. A question never waits behind bulk data.
 *
 * <p>Bounded: bodies under way to one peer by a window in bytes, calls that wait for their turn in
 * number (else {@link PeerException.Reason#OVERLOADED}), connections in number, and lengths by the
 * constants here (else {@link IllegalArgumentException}).
 */
public interface PeerTransport extends AutoCloseable {
  /** The longest question or answer: 4 MiB of payload, and room for the fields around it. */
  int MAX_MESSAGE_BYTES = (4 << 20) + 4096;

  /** The longest header of a push. */
  int MAX_HEADER_BYTES = 64 << 10;

  /** The longest body of a push. */
  int MAX_BODY_BYTES = 256 << 20;

  /** Where this process serves. */
  PeerAddress address();

  /**
   * Asks a peer; the answer is what its {@link PeerService#answer} gave.
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
   * @param body from its position to its limit, neither of which changes. A direct or mapped buffer
   *     is sent from where it lies: it stays mapped and unchanged until the stage has completed,
   *     normally or not; from then on the transport never reads it
   */
  CompletionStage<Void> push(PeerAddress peer, byte[] header, ByteBuffer body);

  /**
   * Ends all work: open stages fail with {@link PeerException.Reason#CLOSED}, open sinks are
   * failed, and when this returns no sink is called and no body read any more. Waits for what runs
   * in a service or sink at this moment; not to be called from there. Closing twice is closing
   * once.
   */
  @Override
  void close();
}
