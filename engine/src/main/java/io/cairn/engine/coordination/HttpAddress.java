package io.cairn.engine.coordination;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Optional;

/**
 * The address at which the processes of a job meet, and the secret that they share. Immutable;
 * never shows the secret.
 *
 * @param host name or address; an IPv6 address without brackets
 * @param secret authenticates requests and replies; empty if nothing is authenticated
 */
public record HttpAddress(String host, int port, Optional<String> secret) {
  /** The header that carries a message's signature. */
  static final String SIGNATURE = "Cairn-Signature";

  /** The one path that is served. */
  static final String PATH = "/cairn/exchange";

  /** The longest request, and the longest reply. */
  static final int MAX_BYTES = 16 << 20;

  URI uri() {
    return URI.create("http://%s:%d%s".formatted(bracketed(), port, PATH));
  }

  InetSocketAddress socket() {
    return new InetSocketAddress(host, port);
  }

  Optional<SharedSecret> key() {
    return secret.map(SharedSecret::new);
  }

  private String bracketed() {
    return host.contains(":") ? "[" + host + "]" : host;
  }

  /** Such as {@code 127.0.0.1:7077}. */
  @Override
  public String toString() {
    return bracketed() + ":" + port;
  }
}
