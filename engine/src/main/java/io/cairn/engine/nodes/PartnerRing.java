package io.cairn.engine.nodes;

import io.cairn.core.wire.NodeSite;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The order in which a process asks others to keep its copies: the next failure domain in the ring
 * of sorted names first. So each domain keeps the copies of one other, as long as all answer.
 */
final class PartnerRing {
  private PartnerRing() {}

  /**
   * One process of each other domain. Processes that do not know their domain are left out.
   *
   * @param self never in a returned domain
   * @param turn of {@link RankPart#turn}; chooses a process of a domain
   */
  static List<NodeSite> after(NodeSite self, List<NodeSite> others, int turn) {
    NavigableMap<String, List<NodeSite>> domains = new TreeMap<>();
    for (NodeSite site : others) {
      if (site.knowsDomain()) {
        domains.computeIfAbsent(site.domain(), name -> new ArrayList<>()).add(site);
      }
    }
    List<List<NodeSite>> ring = new ArrayList<>(domains.tailMap(self.domain(), false).values());
    ring.addAll(domains.headMap(self.domain(), false).values());
    return ring.stream().map(sites -> one(sites, turn)).toList();
  }

  private static NodeSite one(List<NodeSite> sites, int turn) {
    sites.sort(Comparator.comparing(NodeSite::process));
    return sites.get(Math.floorMod(turn, sites.size()));
  }
}
