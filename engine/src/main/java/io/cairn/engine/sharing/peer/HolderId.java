package io.cairn.engine.sharing.peer;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.sharing.LeaseId;
import io.cairn.flush.format.Layout;
import java.util.UUID;

/**
 * A process with a device cache, as its peers know it. Written as {@code process/nonce@host:port},
 * so that whoever is told of a holder can reach it.
 *
 * @param process by which its own system knows it, without {@code /} and {@code @}
 * @param nonce unique per process start, likewise
 * @param address where the process serves its peers
 */
public record HolderId(String process, String nonce, PeerAddress address) {
  private static final int TAG_CHARACTERS = 8;

  /** Checks that what is written can be read. */
  public HolderId {
    if ((process + nonce).matches(".*[/@].*") || process.isEmpty() || nonce.isEmpty()) {
      throw new IllegalArgumentException("'" + process + "', '" + nonce + "' name no holder");
    }
  }

  /** A new holder's. */
  public static HolderId of(String process, PeerAddress address) {
    return new HolderId(process, UUID.randomUUID().toString(), address);
  }

  /**
   * The inverse of {@link #toString}.
   *
   * @throws IllegalArgumentException naming the text, if it is none
   */
  public static HolderId parse(String text) {
    int slash = text.indexOf('/');
    int at = text.indexOf('@', slash);
    int colon = text.lastIndexOf(':');
    if (slash < 1 || at < slash || colon < at) {
      throw new IllegalArgumentException("'" + text + "' is no holder: process/nonce@host:port");
    }
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      return new HolderId(
          text.substring(0, slash),
          text.substring(slash + 1, at),
          new PeerAddress(text.substring(at + 1, colon), port));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is no holder: its port is no number", e);
    }
  }

  /**
   * Name of the container that this holder writes to NODE for a lease; no other holder or lease has
   * the same.
   */
  public String container(LeaseId lease) {
    String tag = nonce.substring(0, Math.min(TAG_CHARACTERS, nonce.length()));
    return Layout.container(lease.rank(), tag + "-" + lease.nonce());
  }

  @Override
  public String toString() {
    return process + "/" + nonce + "@" + address;
  }
}
