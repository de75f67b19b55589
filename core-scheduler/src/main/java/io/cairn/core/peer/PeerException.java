package io.cairn.core.peer;

import java.io.IOException;

/** A peer did not answer, or did not take a chunk. The message names peer, act and cause. */
public final class PeerException extends IOException {
  private static final long serialVersionUID = 1;

  /** The knowledge about the peer after the failure. */
  public enum Reason {
    /** Nobody serves there: the connection was rejected. The peer received nothing of the call. */
    UNREACHABLE,
    /** No connection was made for another reason; the peer received nothing of the call. */
    UNCONNECTED,
    /**
     * Another program serves there, or the two ends do not prove one secret to each other: the peer
     * received nothing of the call, and asking again does not help.
     */
    UNPROVEN,
    /** Too many calls wait for this peer: it received nothing of this one. Ask later. */
    OVERLOADED,
    /** The peer is alive and refused, or its service or sink threw: it holds nothing of it. */
    REFUSED,
    /**
     * The connection ended, or the time limit passed, before the peer replied. The peer may have
     * received all, some or nothing of the call, and may still be writing received bytes.
     */
    LOST,
    /** This process closed its transport; the peer's state is as unknown as in {@link #LOST}. */
    CLOSED,
    /**
     * An error has ended this process's transport: no later call reaches any peer. The state of the
     * peer is as unknown as in {@link #LOST}.
     */
    BROKEN
  }

  private final Reason reason;

  /**
   * A failure.
   *
   * @param act the attempt, such as {@code "push of 4194304 bytes"}
   * @param why the cause, in a few words
   */
  public PeerException(PeerAddress peer, Reason reason, String act, String why) {
    super(act + " to peer " + peer + ": " + why);
    this.reason = reason;
  }

  /** The knowledge about the peer. */
  public Reason reason() {
    return reason;
  }
}
