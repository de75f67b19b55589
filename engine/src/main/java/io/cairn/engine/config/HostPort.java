package io.cairn.engine.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A host and a port. Immutable.
 *
 * @param host name or address, without brackets
 * @param port 1 to 65535
 */
public record HostPort(String host, int port) {
  private static final int MOST_PORT = 65_535;

  private static final Pattern WITH_UNDERSCORE =
      Pattern.compile("[A-Za-z0-9._-]*_[A-Za-z0-9._-]*:\\d{1,5}");

  /** Names that mean this machine alone. Others are not resolved, since that may take long. */
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|(0:){7}1|::1");

  /**
   * The host and port in a text such as {@code 10.0.0.7:7177}; empty if it is none.
   *
   * @throws IllegalArgumentException if the name is one that containers have, and no URI takes
   */
  static Optional<HostPort> parse(String text) {
    if (WITH_UNDERSCORE.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "give the address, or a name without _, such as an alias: no URI has a host of that"
              + " name");
    }
    try {
      URI address = new URI("cairn://" + text);
      boolean plain =
          address.getUserInfo() == null
              && address.getPath().isEmpty()
              && address.getQuery() == null;
      if (address.getHost() != null
          && plain
          && address.getPort() > 0
          && address.getPort() <= MOST_PORT) {
        return Optional.of(
            new HostPort(address.getHost().replaceAll("[\\[\\]]", ""), address.getPort()));
      }
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
    return Optional.empty();
  }

  /** Whether no other machine can reach a host of this name. */
  public static boolean isThisMachine(String host) {
    return LOOPBACK.matcher(host).matches();
  }

  /** Such as {@code 10.0.0.7:7177} or {@code [::1]:7177}. */
  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
