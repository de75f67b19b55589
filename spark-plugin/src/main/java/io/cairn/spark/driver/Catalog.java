package io.cairn.spark.driver;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.wire.ExchangeRequest.NodeCopy;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The checkpoints at NODE of every node, as executors report them on registering. Executors
 * register with each new driver, so the catalog needs no file. Thread-safe.
 */
final class Catalog {
  private final Map<String, Set<NodeCopy>> byNode = new HashMap<>();

  /** Replaces the inventory of a node. */
  synchronized void report(String node, Set<NodeCopy> inventory) {
    byNode.put(node, Set.copyOf(inventory));
  }

  /** The group's checkpoints of which every rank's part is on some node, newest first. */
  synchronized Set<CheckpointId> sealedAtNode(GroupId group) {
    Set<CheckpointId> sealed = new TreeSet<>(Collections.reverseOrder());
    ranks()
        .forEach(
            (id, held) -> {
              if (id.group().equals(group) && held.isSealed()) {
                sealed.add(id);
              }
            });
    return sealed;
  }

  /**
   * The groups that any node holds parts of, with the number of sealed checkpoints. Linear in the
   * parts, since Spark's one thread for messages computes it.
   */
  synchronized Map<GroupId, Integer> groups() {
    Map<GroupId, Integer> groups = new HashMap<>();
    ranks().forEach((id, held) -> groups.merge(id.group(), held.isSealed() ? 1 : 0, Integer::sum));
    return groups;
  }

  private record Held(int size, Set<Integer> ranks) {
    boolean isSealed() {
      return ranks.size() == size;
    }
  }

  private Map<CheckpointId, Held> ranks() {
    Map<CheckpointId, Held> ranks = new HashMap<>();
    for (Set<NodeCopy> copies : byNode.values()) {
      for (NodeCopy copy : copies) {
        ranks
            .computeIfAbsent(copy.id(), id -> new Held(copy.size(), new HashSet<>()))
            .ranks()
            .add(copy.rank());
      }
    }
    return ranks;
  }
}
