package io.cairn.engine.config;

import java.util.Map;
import java.util.Optional;

/** Names that settings had before, and what is written instead. Stateless. */
final class FormerSettings {
  /** Without the prefix of Spark. */
  private static final Map<String, String> INSTEAD =
      Map.ofEntries(
          Map.entry("coordinator.secret", "secret"),
          Map.entry("mtbf.device", "device.mtbf"),
          Map.entry("mtbf.node", "node.mtbf"),
          Map.entry("mtbf.peer", "peer.mtbf"),
          Map.entry("mtbf.store", "store.mtbf"),
          Map.entry("node.serve", "sharing, such as sharing=device for node.serve=off"),
          Map.entry("peer.parity", "peer, such as peer=rs:4+2"),
          Map.entry("peer.rate", "rate"),
          Map.entry("peer.scheme", "peer, such as peer=partner, peer=xor:4 or peer=rs:4+2"),
          Map.entry("peer.set", "peer, such as peer=xor:4 or peer=rs:4+2"),
          Map.entry("sharing.port", "executor.port"),
          Map.entry("staging.nodes", "staging, such as staging=2"),
          Map.entry("staging.rate", "rate"),
          Map.entry("staging.secret", "staging, whose executors Spark authenticates"),
          Map.entry(
              "staging.servers", "staging, such as staging=10.0.0.7,10.0.0.8, hosts of executors"),
          Map.entry("stallBudget", "cadence, such as cadence=adaptive:1%"),
          Map.entry("store.bestScore", "keep, such as keep=newest:2,highest:3"),
          Map.entry("store.blockSize", "store.hadoop.dfs.blocksize"),
          Map.entry("store.keepBest", "keep, such as keep=newest:2,lowest:3"),
          Map.entry("store.keepEvery", "keep, such as keep=newest:2,every:1000"),
          Map.entry("store.keepYounger", "keep, such as keep=newest:2,younger:6h"),
          Map.entry("store.replication", "store.hadoop.dfs.replication"));

  private FormerSettings() {}

  /** The names. */
  static Iterable<String> names() {
    return INSTEAD.keySet();
  }

  /**
   * A message about a name that settings had before; empty about any other.
   *
   * @param prefix of the names where the user configured them
   */
  static Optional<String> instead(String name, String prefix) {
    String property = name.startsWith("cairn.") ? name : "cairn." + name;
    if (Setting.all().stream().anyMatch(setting -> setting.name().equals(property))) {
      return Optional.of(
          "setting "
              + prefix
              + name
              + " is a property of the JVM: give it the option -D"
              + property
              + "=VALUE, under Spark to the driver and to all executors alike");
    }
    return Optional.ofNullable(INSTEAD.get(name))
        .map(now -> "setting " + prefix + name + " has another name: write " + prefix + now);
  }
}
