package io.cairn.core.model;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * SHA-256 of an index or a manifest, as 64 lower-case hexadecimal digits.
 *
 * @param hex the digits
 */
public record Digest(String hex) {
  /** Bytes of a digest in binary form. */
  public static final int BYTES = 32;

  private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");

  /** Checks the form. */
  public Digest {
    if (!HEX.matcher(hex).matches()) {
      throw new IllegalArgumentException("'" + hex + "' is not a SHA-256 digest");
    }
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
