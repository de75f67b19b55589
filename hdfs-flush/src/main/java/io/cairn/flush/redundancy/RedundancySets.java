package io.cairn.flush.redundancy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Divides the ranks of a group into sets. Each rank is in one set, and the ranks and parities of a
 * set lie in different failure domains. So the loss of as many domains as a set has parities costs
 * each set at most as many pieces. A pure function: every owner computes the same sets.
 */
public final class RedundancySets {
  private final SortedMap<String, Deque<Integer>> left = new TreeMap<>();
  private final List<String> domains;
  private final Map<String, Integer> held = new TreeMap<>();
  private final int parities;
  private final int data;

  private RedundancySets(Map<Integer, String> places, int data, int parities) {
    new TreeMap<>(places)
        .forEach((rank, domain) -> left.computeIfAbsent(domain, d -> new ArrayDeque<>()).add(rank));
    this.domains = List.copyOf(left.keySet());
    this.parities = Math.min(parities, domains.size() - 1);
    this.data = Math.min(data, domains.size() - this.parities);
  }

  /**
   * The sets of a group. With fewer domains than {@code data + parities} sets are smaller: first
   * they have fewer ranks, and with no more domains than parities they have fewer parities.
   *
   * @param places the failure domain of each rank
   * @param data the most ranks of a set
   * @param parities of each set
   * @return none if there is one domain only, since nothing is protected then
   */
  public static List<RedundancySet> of(Map<Integer, String> places, int data, int parities) {
    if (data < 1 || parities < 1) {
      throw new IllegalArgumentException(data + " ranks with " + parities + " parities");
    }
    RedundancySets sets = new RedundancySets(places, data, parities);
    return sets.domains.size() < 2 ? List.of() : sets.divide();
  }

  private List<RedundancySet> divide() {
    List<RedundancySet> sets = new ArrayList<>();
    while (!left.isEmpty()) {
      List<String> members = fullest(sets.size());
      List<Integer> ranks = new ArrayList<>();
      for (String domain : members) {
        ranks.add(left(domain).remove());
      }
      left.values().removeIf(Deque::isEmpty);
      Collections.sort(ranks);
      sets.add(new RedundancySet(ranks, holders(members, sets.size())));
    }
    return sets;
  }

  /** The domains with most ranks that are in no set yet, so that few sets stay small. */
  private List<String> fullest(int turn) {
    Comparator<String> most = Comparator.comparing(domain -> -left(domain).size());
    return left.keySet().stream()
        .sorted(most.thenComparing(domain -> distance(domain, turn)))
        .limit(data)
        .toList();
  }

  private Deque<Integer> left(String domain) {
    return left.getOrDefault(domain, new ArrayDeque<>());
  }

  /** The other domains that hold fewest parities so far. */
  private List<String> holders(List<String> members, int turn) {
    Comparator<String> least = Comparator.comparing(domain -> held.getOrDefault(domain, 0));
    List<String> holders =
        domains.stream()
            .filter(domain -> !members.contains(domain))
            .sorted(least.thenComparing(domain -> distance(domain, turn)))
            .limit(parities)
            .toList();
    holders.forEach(domain -> held.merge(domain, 1, Integer::sum));
    return holders;
  }

  /** Among equals, each set begins at another domain. */
  private int distance(String domain, int turn) {
    return Math.floorMod(domains.indexOf(domain) - turn, domains.size());
  }
}
