package io.cairn.core.peer;

import java.io.IOException;

/** Why a peer did not answer, or did not take a chunk. Its message names peer, act and cause. */
public final class PeerException extends IOException {
  private static final long serialVersionUID = 1;

  /** What is known of the peer afterwards. */
  public enum Reason {
    /** No connection came about, or it was not let in: the peer saw nothing of this. */
    UNREACHABLE,
    /** Too much is waiting for this peer already: it saw nothing of this; ask later. */
    OVERLOADED,
    /** The peer lives and said no, or its service or sink threw: it holds nothing of this. */
    REFUSED,
    /**
     * The connection ended, or time was up, before the peer's word came: it may have seen all, some
     * or nothing of this, and may still be writing what it received.
     */
    LOST,
    /** This process closed its transport; of the peer as little is known as in {@link #LOST}. */
    CLOSED
  }

  private final String peer;
  private final Reason reason;

  /**
   * A failure.
   *
   * @param act what was tried, such as {@code "push of 4194304 bytes"}
   * @param why in a few words
   */
  public PeerException(PeerAddress peer, Reason reason, String act, String why) {
    super(act + " to peer " + peer + ": " + why);
    this.peer = peer.toString();
    this.reason = reason;
  }

  /** The peer, as {@code host:port}. */
  public String peer() {
    return peer;
  }

  /** What is known of it. */
  public Reason reason() {
    return reason;
  }
}
