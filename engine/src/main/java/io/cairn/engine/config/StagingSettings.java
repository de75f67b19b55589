package io.cairn.engine.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The settings for staging servers. Immutable.
 *
 * @param nodes whose executors write to STORE for all others; 0 with hosts
 * @param hosts whose executors write to STORE for all others, in lower case; none with a number of
 *     nodes
 * @param bytesPerSecond the most that a server fetches; 0 for no bound
 */
public record StagingSettings(int nodes, List<String> hosts, long bytesPerSecond) {
  private static final int MOST_NODES = 1000;
  private static final int MOST_HOSTS = 1000;
  private static final String HOSTS = "10.0.0.7,10.0.0.8";

  /** A name, or an address; one with colons has brackets or two of them at least. */
  private static final Pattern HOST =
      Pattern.compile(
          "[\\p{Alnum}_][\\p{Alnum}_.-]*|\\[[\\p{XDigit}:.]+]|(?:[\\p{XDigit}.]*:){2,}[\\p{XDigit}.]*");

  /** Words that other settings take, and numbers in a list, are no hosts. */
  private static final Pattern NO_HOST =
      Pattern.compile("on|off|true|false|none|\\d+", Pattern.CASE_INSENSITIVE);

  private static final Pattern WITH_PORT = Pattern.compile(".*[^:]:\\d+");

  static final ValueType<Servers> SERVERS =
      new ValueType<>(
          String.format(
              Locale.ROOT,
              "0 to %d, or at most %d different hosts, such as %s",
              MOST_NODES,
              MOST_HOSTS,
              HOSTS),
          Servers::parse);

  /** Copies the list. */
  public StagingSettings {
    hosts = List.copyOf(hosts);
  }

  /** Whether other processes write to STORE for this one. */
  public boolean on() {
    return nodes > 0 || !hosts.isEmpty();
  }

  /** The most nodes that write at once. */
  public int mostNodes() {
    return hosts.isEmpty() ? nodes : Integer.MAX_VALUE;
  }

  /**
   * Whether a process may write for others.
   *
   * @param host by which other processes reach it
   */
  public boolean mayServe(String host) {
    return nodes > 0 || hosts.contains(normal(host));
  }

  /** One text for each name and address; of other texts the text. */
  private static String normal(String host) {
    String bare = host.replaceAll("[\\[\\]]|\\.$", "").toLowerCase(Locale.ROOT);
    try {
      return bare.contains(":") ? InetAddress.getByName(bare).getHostAddress() : bare;
    } catch (UnknownHostException e) {
      return bare; // a colon asks no name server
    }
  }

  /**
   * What the setting says.
   *
   * @param nodes whose executors write; 0 with hosts
   * @param hosts whose executors write
   */
  record Servers(int nodes, List<String> hosts) {
    private static Optional<Servers> parse(String text) {
      if (text.chars().allMatch(Character::isDigit)) {
        return ValueType.number(0, MOST_NODES)
            .parse()
            .apply(text)
            .map(nodes -> new Servers(nodes, List.of()));
      }
      List<String> hosts = new ArrayList<>();
      for (String each : text.split(",", -1)) {
        String host = each.strip();
        boolean legal = HOST.matcher(host).matches() && !NO_HOST.matcher(host).matches();
        if (!legal && WITH_PORT.matcher(host).matches()) {
          throw new IllegalArgumentException(
              "give hosts without ports, such as "
                  + HOSTS
                  + ": executors there write, which need no rank. No other process does any more");
        } else if (!legal || hosts.contains(normal(host)) || hosts.size() == MOST_HOSTS) {
          return Optional.empty();
        }
        hosts.add(normal(host));
      }
      return Optional.of(new Servers(0, hosts));
    }
  }

  static StagingSettings of(SettingValues given) {
    Servers servers = given.get(Setting.STAGING);
    StagingSettings staging =
        new StagingSettings(servers.nodes(), servers.hosts(), given.get(Setting.RATE));
    if (staging.on() && !given.get(Setting.SHARING).ofNodes()) {
      throw given.illegal(Setting.STAGING, "0, or set sharing to on or node");
    }
    return staging;
  }
}
