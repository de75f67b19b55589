package io.cairn.engine.net;

import io.cairn.engine.config.Setting;
import io.cairn.engine.config.UserSecret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A secret that the processes of a job share, and whether their connections are sealed. The ends of
 * a connection prove it to each other by HMAC-SHA256. Never shows the secret. Thread-safe.
 */
public final class PeerSecret {
  /** The bytes of a proof, and of a key. */
  static final int PROOF_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";
  private static final String DERIVED = "peers of Cairn";

  private final byte[] secret;
  private final boolean seals;
  private final String source;

  private PeerSecret(byte[] secret, boolean seals, String source) {
    this.secret = secret;
    this.seals = seals;
    this.source = source;
  }

  /**
   * The secret of processes without Spark, whose connections are sealed.
   *
   * @param given at least one character; empty for that of the user
   * @throws IOException if it is that of the user, which cannot be read
   */
  public static PeerSecret of(Optional<String> given) throws IOException {
    String text = given.isPresent() ? given.get() : UserSecret.find();
    return new PeerSecret(utf8(text), true, "the setting " + Setting.SECRET.name());
  }

  /**
   * The secret of processes that share a directory, whose connections are sealed. The first of them
   * makes it.
   *
   * @param file in the directory, which no other user can write to
   * @throws IOException naming the file, if it cannot be read or made, or others can read it
   */
  public static PeerSecret in(Path file) throws IOException {
    return derived(UserSecret.find(file), true, file.toString());
  }

  /**
   * A secret that is computed from one of another purpose, which it does not reveal.
   *
   * @param seals whether connections are sealed: encrypted, and protected against changes
   * @param source the name of the other secret, for people
   */
  public static PeerSecret derived(String other, boolean seals, String source) {
    return new PeerSecret(code(utf8(other), DERIVED), seals, source);
  }

  /** Whether connections are sealed. Both ends must agree on it. */
  boolean seals() {
    return seals;
  }

  /**
   * Makes a share for a connection; null if nothing is sealed.
   *
   * @throws IOException if this Java cannot, with the remedy
   */
  @Nullable KeyShare share() throws IOException {
    return seals ? KeyShare.fresh() : null;
  }

  /**
   * Proves that this end of a connection knows the secret.
   *
   * @param role of the end that proves it, so that no proof can be sent back
   * @param said by both ends, so that no proof fits another connection
   */
  byte[] proof(String role, byte[] said) {
    return code(secret, role, said);
  }

  /**
   * Computes the key of all that one end sends over one connection.
   *
   * @param agreed by both ends, and known to nobody who learns the secret later
   */
  byte[] key(String role, byte[] said, byte[] agreed) {
    return code(secret, "key of " + role, said, agreed);
  }

  private static byte[] code(byte[] key, String label, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      mac.update(utf8(label));
      mac.update((byte) 0);
      for (byte[] part : parts) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Computes a proof and a share that nobody needs. So the first connection finds the classes
   * loaded.
   *
   * @throws IOException if this Java cannot, with the remedy
   */
  void rehearse() throws IOException {
    KeyShare share = share();
    byte[] unused = proof(Hello.CLIENT, Hello.begin(Hello.Role.Q, share));
  }

  /** Where it comes from. */
  @Override
  public String toString() {
    return source;
  }
}
