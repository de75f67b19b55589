package io.cairn.engine.net;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.KeyAgreement;

/**
 * The part of one end in an agreement on a key by X25519 (RFC 7748). It is made for one connection,
 * or by a server for those of a second, and forgotten with them, so nobody computes the keys later.
 * Immutable.
 */
final class KeyShare {
  /** The bytes of a share. */
  static final int BYTES = 32;

  private static final String ALGORITHM = "X25519";

  /** The bytes before the share in the encoding that Java reads (RFC 8410). */
  private static final byte[] BEFORE = HexFormat.of().parseHex("302a300506032b656e032100");

  private final KeyPair pair;

  private KeyShare(KeyPair pair) {
    this.pair = pair;
  }

  /**
   * Makes a share.
   *
   * @throws IOException if this Java cannot, with the remedy
   */
  static KeyShare fresh() throws IOException {
    try {
      return new KeyShare(KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair());
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "this Java has no "
              + ALGORITHM
              + ", by which connections are sealed: use one with the module jdk.crypto.ec, and"
              + " leave its providers on",
          e);
    }
  }

  /** The bytes for the other end. */
  byte[] bytes() {
    byte[] encoded = pair.getPublic().getEncoded();
    return Arrays.copyOfRange(encoded, encoded.length - BYTES, encoded.length);
  }

  /**
   * Computes the bytes that both ends have in common.
   *
   * @param other the bytes of the other end
   * @throws IOException if no end in order sends them
   */
  byte[] agree(byte[] other) throws IOException {
    byte[] encoded = Arrays.copyOf(BEFORE, BEFORE.length + BYTES);
    System.arraycopy(other, 0, encoded, BEFORE.length, BYTES);
    try {
      KeyAgreement agreement = KeyAgreement.getInstance(ALGORITHM);
      agreement.init(pair.getPrivate());
      var unused =
          agreement.doPhase(
              KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(encoded)),
              true);
      return agreement.generateSecret();
    } catch (GeneralSecurityException e) {
      throw new IOException("its share of a key is none: " + e.getMessage(), e);
    }
  }
}
