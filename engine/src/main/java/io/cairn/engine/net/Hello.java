package io.cairn.engine.net;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The first bytes of a connection, by which both ends prove the secret before anything else is
 * read. A server of HTTP takes the greeting for a request, and refuses it at once.
 *
 * <pre>
 *  client   0                13          29
 *          +----------------+-----------+
 *          | CAIRN/1 Q␍␊␍␊  | nonce     |   Q: questions follow, P: pushes
 *          +----------------+-----------+
 *  server   0                13          29         61
 *          +----------------+-----------+----------+
 *          | CAIRN/1 S␍␊␍␊  | nonce     | proof    |
 *          +----------------+-----------+----------+
 *  client   0          32
 *          +----------+
 *          | proof    |   frames follow
 *          +----------+
 * </pre>
 *
 * <p>A server that knows the name and not the version answers with its greeting alone.
 */
final class Hello {
  static final int NONCE_BYTES = 16;

  /** The bytes by which the version and role of a process are known. */
  static final int GREETING_BYTES = 13;

  /** The bytes by which a process is known as one of ours. */
  static final int NAME_BYTES = 6;

  static final int CLIENT_BYTES = GREETING_BYTES + NONCE_BYTES;
  static final int SERVER_BYTES = GREETING_BYTES + NONCE_BYTES + PeerSecret.PROOF_BYTES;

  private static final String TO_SERVER = "client";
  private static final String TO_CLIENT = "server";
  private static final SecureRandom RANDOM = new SecureRandom();

  /** The role of an end in the first line. */
  enum Role {
    /** A client that asks. */
    Q,
    /** A client that pushes. */
    P,
    /** The server. */
    S;

    private byte[] greeting() {
      return String.format(Locale.ROOT, "CAIRN/1 %s\r\n\r\n", this)
          .getBytes(StandardCharsets.US_ASCII);
    }
  }

  private Hello() {}

  static byte[] nonce() {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    return nonce;
  }

  static ByteBuffer ofClient(Role role, byte[] nonce) {
    return ByteBuffer.allocate(CLIENT_BYTES).put(role.greeting()).put(nonce).flip();
  }

  static ByteBuffer ofServer(PeerSecret secret, byte[] nonce, byte[] nonces) {
    return ByteBuffer.allocate(SERVER_BYTES)
        .put(Role.S.greeting())
        .put(nonce)
        .put(secret.proof(TO_CLIENT, nonces))
        .flip();
  }

  /** For a client of another version, to which nothing is proven. */
  static ByteBuffer ofServerOfAnotherVersion() {
    return ByteBuffer.wrap(Role.S.greeting());
  }

  static byte[] proofOfClient(PeerSecret secret, byte[] nonces) {
    return secret.proof(TO_SERVER, nonces);
  }

  /** Whether bytes begin as any version of these. */
  static boolean isOurs(byte[] first) {
    return Arrays.equals(first, 0, NAME_BYTES, Role.S.greeting(), 0, NAME_BYTES);
  }

  /** The role that the other end has; empty if it is none of this version. */
  static Optional<Role> role(byte[] hello) {
    return Arrays.stream(Role.values())
        .filter(role -> Arrays.equals(hello, 0, GREETING_BYTES, role.greeting(), 0, GREETING_BYTES))
        .findFirst();
  }

  static byte[] nonceOf(byte[] hello) {
    return Arrays.copyOfRange(hello, GREETING_BYTES, GREETING_BYTES + NONCE_BYTES);
  }

  /** Both nonces and the role of the client, which a proof and a session depend on. */
  static byte[] nonces(Role client, byte[] ofClient, byte[] ofServer) {
    return ByteBuffer.allocate(1 + 2 * NONCE_BYTES)
        .put((byte) client.name().charAt(0))
        .put(ofClient)
        .put(ofServer)
        .array();
  }

  /** Whether a server's bytes prove that it knows the secret. */
  static boolean provesServer(PeerSecret secret, byte[] hello, byte[] nonces) {
    byte[] found = Arrays.copyOfRange(hello, GREETING_BYTES + NONCE_BYTES, SERVER_BYTES);
    return MessageDigest.isEqual(secret.proof(TO_CLIENT, nonces), found);
  }

  /** Whether a client's last bytes prove that it knows the secret. */
  static boolean provesClient(PeerSecret secret, byte[] proof, byte[] nonces) {
    return MessageDigest.isEqual(proofOfClient(secret, nonces), proof);
  }

  /** The codes of all frames that this end sends or receives. */
  static FrameCodes codesToServer(PeerSecret secret, byte[] nonces) {
    return new FrameCodes(secret.session(TO_SERVER, nonces));
  }

  static FrameCodes codesToClient(PeerSecret secret, byte[] nonces) {
    return new FrameCodes(secret.session(TO_CLIENT, nonces));
  }
}
