package io.cairn.engine.coordination;

import io.cairn.engine.config.UserSecret;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/**
 * The address at which the processes of a job meet, and the secret that they share. Immutable;
 * never shows the secret.
 *
 * @param host name or address; an IPv6 address without brackets
 * @param port where to bind it, 0 is any free one
 * @param secret authenticates requests and replies; empty for that of the user
 */
public record HttpAddress(String host, int port, Optional<String> secret) {
  /** The one path that is served. */
  static final String PATH = "/cairn/exchange";

  /** The longest request, and the longest reply. */
  static final int MAX_BYTES = 16 << 20;

  /** The header that carries a message's signature. */
  static final String SIGNATURE = "Cairn-Signature";

  /** The header with the nonce of a server, which each request to it names. */
  static final String NONCE = "Cairn-Nonce";

  /** The header with which a client asks for a nonce, and which its signature covers. */
  static final String CHALLENGE = "Cairn-Challenge";

  /** The header with the name of a request. */
  static final String REQUEST = "Cairn-Request";

  /** The header with the digest of a request's body. */
  static final String DIGEST = "Cairn-Digest";

  URI uri() {
    return URI.create(String.format(Locale.ROOT, "http://%s:%d%s", bracketed(), port, PATH));
  }

  InetSocketAddress socket() {
    return new InetSocketAddress(host, port);
  }

  /**
   * The key to all messages.
   *
   * @throws IOException if it is that of the user, which cannot be read
   */
  SharedSecret key() throws IOException {
    return new SharedSecret(secret.isPresent() ? secret.get() : UserSecret.find());
  }

  private String bracketed() {
    return host.contains(":") ? "[" + host + "]" : host;
  }

  /** Such as {@code 127.0.0.1:7177}. */
  @Override
  public String toString() {
    return bracketed() + ":" + port;
  }
}
