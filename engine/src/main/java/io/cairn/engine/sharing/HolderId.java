package io.cairn.engine.sharing;

import io.cairn.core.peer.PeerAddress;
import java.util.UUID;

/**
 * A process with a device cache, as its peers know it. Written as {@code process/nonce@host:port},
 * so that whoever is told of a holder can reach it.
 *
 * @param nonce unique per process start, beginning with the process
 * @param address where the process serves its peers
 */
public record HolderId(String nonce, PeerAddress address) {
  /**
   * A new holder's.
   *
   * @param process by which its own system knows it, without {@code @}
   */
  public static HolderId of(String process, PeerAddress address) {
    return new HolderId(process + "/" + UUID.randomUUID(), address);
  }

  /** The process, as it was given. */
  public String process() {
    return nonce.substring(0, nonce.lastIndexOf('/'));
  }

  /**
   * The inverse of {@link #toString}.
   *
   * @throws IllegalArgumentException naming the text, if it is none
   */
  public static HolderId parse(String text) {
    int at = text.indexOf('@');
    int colon = text.lastIndexOf(':');
    if (at < 1 || colon < at || text.lastIndexOf('/', at) < 0) {
      throw new IllegalArgumentException("'" + text + "' is no holder: process/nonce@host:port");
    }
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      return new HolderId(
          text.substring(0, at), new PeerAddress(text.substring(at + 1, colon), port));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is no holder: its port is no number", e);
    }
  }

  @Override
  public String toString() {
    return nonce + "@" + address;
  }
}
