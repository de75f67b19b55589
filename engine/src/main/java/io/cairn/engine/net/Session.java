package io.cairn.engine.net;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a greeting: how both directions of a connection are sealed.
 *
 * @param toServer null if nothing is sealed, as is the other
 */
record Session(@Nullable Sealing toServer, @Nullable Sealing toClient) {
  /**
   * Computes the keys of a connection.
   *
   * @param own null if nothing is sealed
   * @param other the share of the other end
   * @throws IOException if the other share is none
   */
  static Session of(PeerSecret secret, byte[] said, @Nullable KeyShare own, byte[] other)
      throws IOException {
    if (own == null) {
      return new Session(null, null);
    }
    byte[] agreed = own.agree(other);
    return new Session(
        new Sealing(secret.key(Hello.CLIENT, said, agreed), 0),
        new Sealing(secret.key(Hello.SERVER, said, agreed), 0));
  }
}
