package io.cairn.engine.net;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The first bytes of a connection, by which both ends prove the secret before anything else is
 * read. A server of HTTP takes the greeting for a request, and refuses it at once.
 *
 * <pre>
 *  client   0                14          30        62
 *          +----------------+-----------+---------+
 *          | CAIRN/2 QS␍␊␍␊ | nonce     | share   |   Q: questions follow, P: pushes
 *          +----------------+-----------+---------+
 *  server   0                14          30        62         94
 *          +----------------+-----------+---------+----------+
 *          | CAIRN/2 SS␍␊␍␊ | nonce     | share   | proof    |
 *          +----------------+-----------+---------+----------+
 *  client   0          32
 *          +----------+
 *          | proof    |   frames follow
 *          +----------+
 * </pre>
 *
 * <p>The second letter says what follows. S: frames in sealed records; a share is that of {@link
 * KeyShare}. P: plain frames; a share is 0. A proof covers all bytes before it of both ends, the
 * other proof excepted. So two ends whose letters or shares were changed on the way refuse each
 * other.
 *
 * <p>A server that knows the name, but not the version or the letters, answers with its first line
 * alone.
 */
final class Hello {
  /** The end that connected, in proofs and keys. */
  static final String CLIENT = "client";

  /** The other end. */
  static final String SERVER = "server";

  /** The bytes by which name and version of a process are known; those of others may be fewer. */
  static final int VERSION_BYTES = 7;

  /** The bytes by which role and sealing of a process are known, too. */
  static final int GREETING_BYTES = 14;

  /** The bytes by which a process is known as one of ours. */
  static final int NAME_BYTES = 6;

  static final int NONCE_BYTES = 16;

  /** The bytes of a client before its proof, and of a server. */
  static final int BYTES = GREETING_BYTES + NONCE_BYTES + KeyShare.BYTES;

  static final int SERVER_BYTES = BYTES + PeerSecret.PROOF_BYTES;

  private static final SecureRandom RANDOM = new SecureRandom();

  /** The role of an end in the first line. */
  enum Role {
    /** A client that asks. */
    Q,
    /** A client that pushes. */
    P,
    /** The server. */
    S
  }

  private Hello() {}

  /** The first line of an end. */
  static byte[] line(Role role, boolean seals) {
    return String.format(Locale.ROOT, "CAIRN/2 %s%s\r\n\r\n", role, seals ? "S" : "P")
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** Begins a greeting, with a fresh nonce. */
  static byte[] begin(Role role, @Nullable KeyShare share) {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    byte[] shared = share == null ? new byte[KeyShare.BYTES] : share.bytes();
    return join(line(role, share != null), nonce, shared);
  }

  /** All that both ends said before their proofs, on which proofs and keys depend. */
  static byte[] said(byte[] client, byte[] server) {
    return join(Arrays.copyOf(client, BYTES), Arrays.copyOf(server, BYTES));
  }

  static byte[] join(byte[]... parts) {
    ByteBuffer all = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(each -> each.length).sum());
    Arrays.stream(parts).forEach(all::put);
    return all.array();
  }

  /** Whether bytes begin as any version of these. */
  static boolean isOurs(byte[] first) {
    return startsWith(first, Arrays.copyOf(line(Role.S, true), NAME_BYTES));
  }

  /** Whether bytes begin as this version of these. */
  static boolean isOfThisVersion(byte[] first) {
    return startsWith(first, Arrays.copyOf(line(Role.S, true), VERSION_BYTES));
  }

  /** The role of the other end; empty if its first line is none of this version and sealing. */
  static Optional<Role> role(byte[] hello, boolean seals) {
    return Arrays.stream(Role.values())
        .filter(role -> startsWith(hello, line(role, seals)))
        .findFirst();
  }

  private static boolean startsWith(byte[] bytes, byte[] first) {
    return Arrays.equals(bytes, 0, first.length, first, 0, first.length);
  }

  /** The share of the other end. */
  static byte[] share(byte[] hello) {
    return Arrays.copyOfRange(hello, BYTES - KeyShare.BYTES, BYTES);
  }

  /** Whether the bytes of a server end with its proof. */
  static boolean provesServer(PeerSecret secret, byte[] hello, byte[] said) {
    byte[] found = Arrays.copyOfRange(hello, BYTES, SERVER_BYTES);
    return MessageDigest.isEqual(secret.proof(SERVER, said), found);
  }

  /** Whether a client's last bytes prove that it knows the secret. */
  static boolean provesClient(PeerSecret secret, byte[] proof, byte[] said) {
    return MessageDigest.isEqual(secret.proof(CLIENT, said), proof);
  }
}
