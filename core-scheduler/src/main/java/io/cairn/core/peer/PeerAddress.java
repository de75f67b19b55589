package io.cairn.core.peer;

/**
 * The address at which a process serves its peers.
 *
 * @param host a name or address that other nodes can resolve
 * @param port 1 to 65535
 */
public record PeerAddress(String host, int port) {
  /** Checks host and port. */
  public PeerAddress {
    if (host.isBlank()) {
      throw new IllegalArgumentException("a peer's host is blank (port " + port + ")");
    }
    if (port < 1 || port > 65535) {
      throw new IllegalArgumentException("port " + port + " of peer " + host + ": not 1 to 65535");
    }
  }

  /** {@code host:port}. */
  @Override
  public String toString() {
    return host + ":" + port;
  }
}
