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

  /** Copies the list. */
  public StagingSettings {
    servers = List.copyOf(servers);
  }

  /** Whether other processes write to STORE for this one. */
  public boolean on() {
    return nodes > 0 || !servers.isEmpty();
  }

  static StagingSettings of(SettingValues given) {
    long nodes = given.number(Setting.STAGING_NODES);
    if (nodes < 0 || nodes > MOST_NODES) {
      throw given.illegal(Setting.STAGING_NODES, "a number from 0 to " + MOST_NODES);
    } else if (nodes > 0 && !given.isOn(Setting.NODE_SERVE)) {
      throw given.illegal(Setting.STAGING_NODES, "0, or set node.serve to on");
    }
    List<HostPort> servers = servers(given);
    Optional<String> secret = SharedSecretSetting.of(given, Setting.STAGING_SECRET);
    if (nodes > 0 && !servers.isEmpty()) {
      throw given.illegal(
          Setting.STAGING_NODES, "0, since staging.servers names processes that do the same");
    } else if (secret.isEmpty()
        && !servers.stream().allMatch(server -> HostPort.isThisMachine(server.host()))) {
      throw given.illegal(
          Setting.STAGING_SERVERS,
          "addresses of this machine alone, such as 127.0.0.1:7178, or set staging.secret");
    }
    return new StagingSettings((int) nodes, given.bytes(Setting.STAGING_RATE), servers, secret);
  }

  private static List<HostPort> servers(SettingValues given) {
    List<HostPort> servers = new ArrayList<>();
    if (given.has(Setting.STAGING_SERVERS)) {
      for (String text : given.text(Setting.STAGING_SERVERS).split(",", -1)) {
        HostPort server = HostPort.parse(text.strip()).orElseThrow(() -> refusal(given));
        if (servers.contains(server) || servers.size() == MOST_SERVERS) {
          throw refusal(given);
        }
        servers.add(server);
      }
    }
    return servers;
  }

  private static IllegalArgumentException refusal(SettingValues given) {
    return given.illegal(
        Setting.STAGING_SERVERS,
        String.format(
            Locale.ROOT,
            "at most %d different hosts with ports, such as 10.0.0.7:7178,10.0.0.8:7178",
            MOST_SERVERS));
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
