package io.cairn.engine.net;

import io.cairn.engine.config.Setting;
import io.cairn.engine.config.UserSecret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret that the processes of a job share. It authenticates by HMAC-SHA256, and encrypts
 * nothing. Never shows the secret. Thread-safe.
 */
public final class PeerSecret {
  /** The bytes of a proof, and of a code that a {@link #session} computes. */
  static final int PROOF_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";

  private final byte[] secret;

  private PeerSecret(String secret) {
    this.secret = secret.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * A secret.
   *
   * @param given at least one character; empty for that of the user
   * @throws IOException if it is that of the user, which cannot be read
   */
  public static PeerSecret of(Optional<String> given) throws IOException {
    return new PeerSecret(given.isPresent() ? given.get() : UserSecret.find());
  }

  /**
   * Proves that this end of a connection knows the secret.
   *
   * @param role of the end that proves it, so that no proof can be sent back
   * @param nonces of both ends, so that no proof fits another connection
   */
  byte[] proof(String role, byte[] nonces) {
    return code(role, nonces);
  }

  /** Computes the codes of all that one end sends over one connection. */
  Mac session(String role, byte[] nonces) {
    return mac(code("session " + role, nonces));
  }

  private byte[] code(String role, byte[] nonces) {
    Mac mac = mac(secret);
    mac.update(role.getBytes(StandardCharsets.UTF_8));
    mac.update((byte) 0);
    return mac.doFinal(nonces);
  }

  private static Mac mac(byte[] key) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  /** The setting that gives it. */
  @Override
  public String toString() {
    return Setting.SECRET.name();
  }
}
