package io.cairn.core.flow;

/**
 * Bytes that one device sends, to a peer or to the host.
 *
 * @param from the sender
 * @param to the receiver, or {@link #HOST}
 * @param bytes above 0; a fraction of a byte may occur where a plan is not in whole chunks
 */
public record Transfer(int from, int to, double bytes) {
  /** The receiver that is the sender's host. */
  public static final int HOST = -1;

  /** Whether the host receives it. */
  public boolean toHost() {
    return to == HOST;
  }
}
