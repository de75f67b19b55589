package io.cairn.engine.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.Key;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals the records of one direction of a connection, or opens them: AES-GCM with a key of its own.
 * The nonce of a record is its number, so that a record fits no other place. A record is opened
 * whole or not at all. Not thread-safe.
 *
 * <pre>
 *   0              4
 *  +--------------+-----------------+----------+
 *  | plain bytes  | sealed bytes    | tag (16) |
 *  +--------------+-----------------+----------+
 * </pre>
 *
 * <p>Java computes several times faster on arrays than on direct memory, so buffers are arrays.
 */
final class Sealing {
  /**
   * The most plain bytes of a record. Java keeps a record whole until its tag was verified, and
   * compiles its ciphers well only after thousands of records.
   */
  static final int PLAIN_BYTES = 16 << 10;

  static final int LENGTH_BYTES = Integer.BYTES;
  static final int TAG_BYTES = 16;

  /** The bytes of the longest record. */
  static final int RECORD_BYTES = LENGTH_BYTES + PLAIN_BYTES + TAG_BYTES;

  /** Records of one key: the bound on blocks leaves an attacker a chance of 2 to the -45. */
  static final long MOST_RECORDS = 1L << 32;

  private static final String ALGORITHM = "AES/GCM/NoPadding";
  private static final int NONCE_BYTES = 12;

  private final Cipher cipher;
  private final Key key;
  private final ByteBuffer nonce = ByteBuffer.allocate(NONCE_BYTES);
  private long number;

  /**
   * Begins a direction.
   *
   * @param key of {@link PeerSecret#PROOF_BYTES}, used for nothing else
   * @param first the number of the first record
   */
  Sealing(byte[] key, long first) {
    this.key = new SecretKeySpec(key, "AES");
    this.number = first;
    try {
      this.cipher = Cipher.getInstance(ALGORITHM);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  /**
   * Appends the next record.
   *
   * @param plain at most {@link #PLAIN_BYTES}
   * @throws IOException if the key has sealed all records that it may
   */
  void seal(ByteBuffer plain, ByteBuffer to) throws IOException {
    to.putInt(plain.remaining());
    try {
      run(Cipher.ENCRYPT_MODE, plain, to);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a record cannot be sealed", e);
    }
  }

  /**
   * Appends the plain bytes of the next record.
   *
   * @param sealed bytes and tag
   * @throws IOException if they are not those of the next record; then nothing more may be opened
   */
  void open(ByteBuffer sealed, ByteBuffer to) throws IOException {
    try {
      run(Cipher.DECRYPT_MODE, sealed, to);
    } catch (GeneralSecurityException e) {
      throw new IOException("a record does not prove the secret", e);
    }
  }

  private void run(int mode, ByteBuffer from, ByteBuffer to)
      throws IOException, GeneralSecurityException {
    if (number >= MOST_RECORDS) {
      throw new IOException("its key has sealed all records that it may: connect anew");
    }
    nonce.putLong(NONCE_BYTES - Long.BYTES, number++);
    cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce.array()));
    int unused = cipher.doFinal(from, to);
  }
}
