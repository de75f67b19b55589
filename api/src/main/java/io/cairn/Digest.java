package io.cairn;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 of an index or a manifest, as 64 lower-case hexadecimal digits.
 *
 * @param hex the digits
 */
public record Digest(String hex) {
  /** Bytes of a digest in binary form. */
  public static final int BYTES = 32;

  /** Checks the form. */
  public Digest {
    if (!isLegal(hex)) {
      throw new IllegalArgumentException("'" + hex + "' is not a SHA-256 digest");
    }
  }

  private static boolean isLegal(String hex) {
    boolean legal = hex.length() == 2 * BYTES;
    for (int i = 0; legal && i < hex.length(); i++) {
      char c = hex.charAt(i);
      legal = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    }
    return legal;
  }

  /** The digest of the remaining bytes; consumes them. */
  public static Digest of(ByteBuffer bytes) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      sha.update(bytes);
      return new Digest(HexFormat.of().formatHex(sha.digest()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** The digest of all of {@code bytes}. */
  public static Digest of(byte[] bytes) {
    return of(ByteBuffer.wrap(bytes));
  }

  /** The 32 bytes. */
  public byte[] toBytes() {
    return HexFormat.of().parseHex(hex);
  }

  @Override
  public String toString() {
    return hex;
  }
}
