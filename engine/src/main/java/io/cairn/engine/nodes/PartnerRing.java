package io.cairn.engine.nodes;

import io.cairn.core.wire.NodeSite;
import io.cairn.engine.config.PeerSettings.Domain;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The order in which a process asks others to keep its copies: the next failure domain in the ring
 * of sorted names first. So each domain keeps the copies of one other, as long as all answer.
 *
 * @param domain what fails at once
 */
record PartnerRing(Domain domain) {
  /**
   * One process of each other domain.
   *
   * @param self never in a returned domain
   * @param rank spreads the ranks of a process over the processes of a domain
   */
  List<NodeSite> after(NodeSite self, List<NodeSite> others, int rank) {
    NavigableMap<String, List<NodeSite>> domains = new TreeMap<>();
    for (NodeSite site : others) {
      domains.computeIfAbsent(domain(site), name -> new ArrayList<>()).add(site);
    }
    String own = domain(self);
    List<List<NodeSite>> ring = new ArrayList<>(domains.tailMap(own, false).values());
    ring.addAll(domains.headMap(own, false).values());
    return ring.stream().map(sites -> one(sites, rank)).toList();
  }

  /** The failure domain of a process. */
  String domain(NodeSite site) {
    return switch (domain) {
      case HOST -> site.address().host();
      case NODE -> site.node();
    };
  }

  private static NodeSite one(List<NodeSite> sites, int rank) {
    sites.sort(Comparator.comparing(NodeSite::process));
    return sites.get(rank % sites.size());
  }
}
