package io.cairn.engine.coordination;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/**
 * The address of a service, and the secret that its users share. Immutable; never shows the secret.
 *
 * @param host name or address; an IPv6 address without brackets
 * @param port where to bind it, 0 is any free one
 * @param secret authenticates requests and replies; empty if nothing is authenticated
 */
public record HttpAddress(HttpService service, String host, int port, Optional<String> secret) {
  /** The header that carries a message's signature. */
  static final String SIGNATURE = "Cairn-Signature";

  /** The address at which the processes of a job meet. */
  public HttpAddress(String host, int port, Optional<String> secret) {
    this(HttpService.COORDINATOR, host, port, secret);
  }

  URI uri() {
    return URI.create(
        String.format(Locale.ROOT, "http://%s:%d%s", bracketed(), port, service.path()));
  }

  InetSocketAddress socket() {
    return new InetSocketAddress(host, port);
  }

  Optional<SharedSecret> key() {
    return secret.map(known -> new SharedSecret(known, service));
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
