package io.cairn.engine.net;

import java.nio.ByteBuffer;
import javax.crypto.Mac;

/**
 * The codes of one direction of a connection. Each covers its number, so that none fits elsewhere
 * in the stream. One code is computed at a time. Not thread-safe.
 */
final class FrameCodes {
  private final Mac mac;
  private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
  private long next;

  FrameCodes(Mac mac) {
    this.mac = mac;
  }

  /** Begins the next code. */
  void begin() {
    mac.update(number.clear().putLong(next++).flip());
  }

  /** Adds bytes from position to limit, neither of which changes. */
  void add(ByteBuffer bytes) {
    mac.update(bytes.duplicate());
  }

  /** Ends the code, of {@link PeerSecret#PROOF_BYTES}. */
  byte[] end() {
    return mac.doFinal();
  }
}
