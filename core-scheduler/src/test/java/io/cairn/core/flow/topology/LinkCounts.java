package io.cairn.core.flow.topology;

import io.cairn.core.flow.SharedHostLink;
import io.cairn.core.flow.Topology;
import java.util.List;
import java.util.stream.IntStream;

/** Counts over a whole topology. */
final class LinkCounts {
  private LinkCounts() {}

  /** Directed links. */
  static long links(Topology topology) {
    return IntStream.range(0, topology.devices()).mapToLong(from -> degree(topology, from)).sum();
  }

  static long degree(Topology topology, int from) {
    return IntStream.range(0, topology.devices())
        .filter(to -> topology.linkBytesPerSecond(from, to) > 0)
        .count();
  }

  /** Rates of all links of a device together. */
  static double sum(Topology topology, int from) {
    return IntStream.range(0, topology.devices())
        .mapToDouble(to -> topology.linkBytesPerSecond(from, to))
        .sum();
  }

  static boolean symmetric(Topology topology) {
    int n = topology.devices();
    return IntStream.range(0, n * n)
        .allMatch(
            pair ->
                topology.linkBytesPerSecond(pair / n, pair % n)
                    == topology.linkBytesPerSecond(pair % n, pair / n));
  }

  static List<List<Integer>> sharing(Topology topology) {
    return topology.sharedHostLinks().stream().map(SharedHostLink::devices).toList();
  }
}
