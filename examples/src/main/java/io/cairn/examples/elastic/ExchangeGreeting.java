package io.cairn.examples.elastic;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * How two ranks prove to each other that they know the secret, before they exchange anything else.
 * Each sends random bytes, and answers the other's by their HMAC-SHA256. Thread-safe.
 *
 * <pre>
 *   hub → rank   nonce          32 bytes
 *   rank → hub   rank, ranks     8 bytes, nonce 32 bytes, proof 32 bytes
 *   hub → rank   proof          32 bytes
 * </pre>
 */
final class ExchangeGreeting {
  private static final int LEAST_SECRET = 16;
  private static final int BYTES = 32;
  private static final String MAC = "HmacSHA256";

  private final int rank;
  private final int ranks;
  private final byte[] secret;
  private final SecureRandom random = new SecureRandom();

  ExchangeGreeting(int rank, int ranks, String secret) {
    if (ranks < 1 || rank < 0 || rank >= ranks || secret.length() < LEAST_SECRET) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "rank %d of %d, a secret of %d characters: ranks count from 0, and a secret has at"
                  + " least %d",
              rank,
              ranks,
              secret.length(),
              LEAST_SECRET));
    }
    this.rank = rank;
    this.ranks = ranks;
    this.secret = secret.getBytes(StandardCharsets.UTF_8);
  }

  /** The hub's side; returns the rank that asked. */
  int answer(DataInputStream in, DataOutputStream out) throws IOException {
    byte[] nonce = nonce();
    out.write(nonce);
    out.flush();
    int other = in.readInt();
    int itsRanks = in.readInt();
    byte[] its = in.readNBytes(BYTES);
    requireProof(in, proof("rank", other, itsRanks, nonce));
    if (itsRanks != ranks || other < 1 || other >= ranks) {
      throw new IOException(
          String.format(
              Locale.ROOT, "rank %d of %d came, and this exchange has %d", other, itsRanks, ranks));
    }
    out.write(proof("hub", other, ranks, its));
    out.flush();
    return other;
  }

  /** The side of a rank that joins. */
  void ask(DataInputStream in, DataOutputStream out) throws IOException {
    byte[] its = in.readNBytes(BYTES);
    byte[] nonce = nonce();
    out.writeInt(rank);
    out.writeInt(ranks);
    out.write(nonce);
    out.write(proof("rank", rank, ranks, its));
    out.flush();
    requireProof(in, proof("hub", rank, ranks, nonce));
  }

  private byte[] nonce() {
    byte[] nonce = new byte[BYTES];
    random.nextBytes(nonce);
    return nonce;
  }

  private static void requireProof(DataInputStream in, byte[] expected) throws IOException {
    if (!MessageDigest.isEqual(in.readNBytes(BYTES), expected)) {
      throw new IOException(
          "the other side left, or did not prove that it knows the secret: give all ranks the same"
              + " secret and number of ranks");
    }
  }

  private byte[] proof(String side, int ofRank, int ofRanks, byte[] nonce) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(new SecretKeySpec(secret, MAC));
      mac.update(side.getBytes(StandardCharsets.US_ASCII));
      mac.update(ByteBuffer.allocate(2 * Integer.BYTES).putInt(ofRank).putInt(ofRanks).array());
      return mac.doFinal(nonce);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + MAC, e);
    }
  }
}
