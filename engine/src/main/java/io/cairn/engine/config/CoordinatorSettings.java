package io.cairn.engine.config;

import java.util.Optional;

/**
 * The address at which processes without Spark coordinate their groups. Immutable; never shows the
 * secret.
 *
 * @param host name or address, without brackets
 * @param secret that all processes share; empty for that of the user
 */
public record CoordinatorSettings(String host, int port, Optional<String> secret) {
  /** The settings; empty if no address is configured. */
  static Optional<CoordinatorSettings> of(SettingValues given) {
    if (!given.has(Setting.COORDINATOR)) {
      return Optional.empty();
    }
    HostPort address =
        HostPort.parse(given.text(Setting.COORDINATOR))
            .orElseThrow(
                () ->
                    given.illegal(
                        Setting.COORDINATOR, "a host and a port, such as 127.0.0.1:7177"));
    Optional<String> secret = SharedSecretSetting.of(given, Setting.COORDINATOR_SECRET);
    if (secret.isEmpty() && !HostPort.isThisMachine(address.host())) {
      throw given.illegal(
          Setting.COORDINATOR,
          "an address of this machine alone, such as 127.0.0.1:7177, or set coordinator.secret");
    }
    return Optional.of(new CoordinatorSettings(address.host(), address.port(), secret));
  }

  /** The address alone. */
  @Override
  public String toString() {
    return host + ":" + port;
  }
}
