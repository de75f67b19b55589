package io.cairn.engine.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The address at which processes without Spark coordinate their groups. Immutable; never shows the
 * secret.
 *
 * @param host name or address, without brackets
 * @param secret that all processes share; empty if there is none
 */
public record CoordinatorSettings(String host, int port, Optional<String> secret) {
  private static final int LEAST_SECRET = 16;
  private static final int MOST_PORT = 65_535;

  /** Names that mean this machine alone. Others are not resolved, since that may take long. */
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|(0:){7}1|::1");

  /** The settings; empty if no address is configured. */
  static Optional<CoordinatorSettings> of(SettingValues given) {
    if (!given.has(Setting.COORDINATOR)) {
      return Optional.empty();
    }
    URI address = address(given);
    String host = address.getHost().replaceAll("[\\[\\]]", "");
    Optional<String> secret = secret(given);
    if (secret.isEmpty() && !LOOPBACK.matcher(host).matches()) {
      throw given.illegal(
          Setting.COORDINATOR,
          "an address of this machine alone, such as 127.0.0.1:7077, or set coordinator.secret");
    }
    return Optional.of(new CoordinatorSettings(host, address.getPort(), secret));
  }

  private static URI address(SettingValues given) {
    try {
      URI address = new URI("cairn://" + given.text(Setting.COORDINATOR));
      boolean plain =
          address.getUserInfo() == null
              && address.getPath().isEmpty()
              && address.getQuery() == null;
      if (address.getHost() != null
          && plain
          && address.getPort() > 0
          && address.getPort() <= MOST_PORT) {
        return address;
      }
    } catch (URISyntaxException e) {
      throw (IllegalArgumentException) refusal(given).initCause(e);
    }
    throw refusal(given);
  }

  private static IllegalArgumentException refusal(SettingValues given) {
    return given.illegal(Setting.COORDINATOR, "a host and a port, such as 127.0.0.1:7077");
  }

  private static Optional<String> secret(SettingValues given) {
    if (!given.has(Setting.COORDINATOR_SECRET)) {
      return Optional.empty();
    }
    String secret = given.text(Setting.COORDINATOR_SECRET);
    if (secret.length() < LEAST_SECRET) {
      throw new IllegalArgumentException(
          "setting %s is shorter than %d characters: give a longer one"
              .formatted(Setting.COORDINATOR_SECRET.name(), LEAST_SECRET));
    }
    return Optional.of(secret);
  }

  /** The address alone. */
  @Override
  public String toString() {
    return host + ":" + port;
  }
}
