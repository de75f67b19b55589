package io.cairn.engine.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The settings for staging servers. Immutable; never shows the secret.
 *
 * @param nodes whose executors write to STORE for all others; 0 for none
 * @param bytesPerSecond the most that a server of these fetches; 0 for no bound
 * @param servers processes of their own that write to STORE; with some, there are no such nodes
 * @param secret that this process shares with them; empty for that of the user
 */
public record StagingSettings(
    int nodes, long bytesPerSecond, List<HostPort> servers, Optional<String> secret) {
  private static final int MOST_NODES = 1000;
  private static final int MOST_SERVERS = 1000;

  static final ValueType<Servers> SERVERS =
      new ValueType<>(
          String.format(
              Locale.ROOT,
              "0 to %d, or at most %d different hosts with ports, such as"
                  + " 10.0.0.7:7178,10.0.0.8:7178",
              MOST_NODES,
              MOST_SERVERS),
          Servers::parse);

  /** Copies the list. */
  public StagingSettings {
    servers = List.copyOf(servers);
  }

  /** Whether other processes write to STORE for this one. */
  public boolean on() {
    return nodes > 0 || !servers.isEmpty();
  }

  /**
   * What the setting says.
   *
   * @param nodes whose executors write; 0 with servers
   * @param list of the servers
   */
  record Servers(int nodes, List<HostPort> list) {
    private static Optional<Servers> parse(String text) {
      if (text.chars().allMatch(Character::isDigit)) {
        return ValueType.number(0, MOST_NODES)
            .parse()
            .apply(text)
            .map(nodes -> new Servers(nodes, List.of()));
      }
      List<HostPort> servers = new ArrayList<>();
      for (String each : text.split(",", -1)) {
        Optional<HostPort> server = HostPort.parse(each.strip());
        if (server.isEmpty() || servers.contains(server.get()) || servers.size() == MOST_SERVERS) {
          return Optional.empty();
        }
        servers.add(server.get());
      }
      return Optional.of(new Servers(0, servers));
    }
  }

  static StagingSettings of(SettingValues given) {
    Servers servers = given.get(Setting.STAGING);
    Optional<String> secret = given.find(Setting.SECRET);
    if (servers.nodes() > 0 && !given.get(Setting.SHARING).ofNodes()) {
      throw given.illegal(Setting.STAGING, "0, or set sharing to on or node");
    } else if (secret.isEmpty()
        && !servers.list().stream().allMatch(server -> HostPort.isThisMachine(server.host()))) {
      throw given.illegal(
          Setting.STAGING,
          "addresses of this machine alone, such as 127.0.0.1:7178, or set secret");
    }
    return new StagingSettings(servers.nodes(), given.get(Setting.RATE), servers.list(), secret);
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "StagingSettings[nodes=%d, bytesPerSecond=%d, servers=%s]",
        nodes,
        bytesPerSecond,
        servers);
  }
}
