package io.cairn.engine.sharing.peer;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.sharing.LeaseId;
import io.cairn.flush.format.StoreNames;
import java.util.UUID;

/**
 * The identity of a holder. Its text is {@code process/nonce@host:port} and includes the address,
 * so every receiver of the text can reach the holder.
 *
 * @param process the name of the process in its own system, without {@code /} and {@code @}
 * @param nonce unique per process start, likewise
 * @param address of the process's service for peers
 */
public record HolderId(String process, String nonce, PeerAddress address) {
  private static final int TAG_CHARACTERS = 8;

  /** Checks that the text can be parsed again. */
  public HolderId {
    if ((process + nonce).matches(".*[/@].*") || process.isEmpty() || nonce.isEmpty()) {
      throw new IllegalArgumentException("'" + process + "', '" + nonce + "' name no holder");
    }
  }

  /** The identity of a new holder. */
  public static HolderId of(String process, PeerAddress address) {
    return new HolderId(process, UUID.randomUUID().toString(), address);
  }

  /**
   * The inverse of {@link #toString}.
   *
   * @throws IllegalArgumentException naming the text, if it is no identity
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
    return StoreNames.container(lease.rank(), tag + "-" + lease.nonce());
  }

  @Override
  public String toString() {
    return process + "/" + nonce + "@" + address;
  }
}
