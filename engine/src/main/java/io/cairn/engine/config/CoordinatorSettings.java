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
    Optional<HostPort> address = given.find(Setting.COORDINATOR);
    Optional<String> secret = given.find(Setting.SECRET);
    if (secret.isEmpty() && address.filter(at -> !HostPort.isThisMachine(at.host())).isPresent()) {
      throw given.illegal(
          Setting.COORDINATOR,
          "an address of this machine alone, such as 127.0.0.1:7177, or set secret");
    }
    return address.map(at -> new CoordinatorSettings(at.host(), at.port(), secret));
  }

  /** The address alone. */
  @Override
  public String toString() {
    return new HostPort(host, port).toString();
  }
}
