package io.cairn.engine.coordination;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates messages between processes that know the same secret, by HMAC-SHA256. It encrypts
 * nothing. Never shows the secret. Thread-safe.
 */
final class SharedSecret {
  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;

  /** A secret of at least one character. */
  SharedSecret(String secret) {
    this.key = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM);
  }

  /**
   * The signature of a request, which is checked before its body is read.
   *
   * @param nonce of the server that is to answer, so that no other takes the request
   * @param id of the request, so that the server takes it once
   * @param length of the body
   * @param digest of the body
   */
  String ofRequest(String nonce, String id, long length, String digest) {
    return signature("request " + nonce + " " + id + " " + length + " " + digest, new byte[0]);
  }

  /** The signature of a server's nonce, which answers this challenge. */
  String ofNonce(String challenge, String nonce) {
    return signature("nonce " + nonce + " for " + challenge, new byte[0]);
  }

  /** The signature of a reply to the request with this signature, so that no other fits. */
  String ofReply(String request, byte[] body) {
    return signature("reply to " + request, body);
  }

  private String signature(String role, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update((HttpAddress.PATH + " " + role).getBytes(StandardCharsets.UTF_8));
      mac.update((byte) 0);
      return HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  /** The digest of a body. */
  static String digest(byte[] body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Whether a signature is the expected one; takes the same time wherever they differ. */
  static boolean matches(String expected, @Nullable String found) {
    return found != null
        && MessageDigest.isEqual(
            expected.getBytes(StandardCharsets.UTF_8), found.getBytes(StandardCharsets.UTF_8));
  }
}
