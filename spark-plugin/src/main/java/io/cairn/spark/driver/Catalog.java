package io.cairn.spark.driver;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.GroupId;
import io.cairn.core.wire.ExchangeRequest.NodeCopy;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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
    Map<CheckpointId, Set<Integer>> ranks = new TreeMap<>(Collections.reverseOrder());
    Set<CheckpointId> sealed = new TreeSet<>(Collections.reverseOrder());
    for (Set<NodeCopy> copies : byNode.values()) {
      for (NodeCopy copy : copies) {
        if (copy.id().group().equals(group)) {
          Set<Integer> held = ranks.computeIfAbsent(copy.id(), id -> new HashSet<>());
          held.add(copy.rank());
          if (held.size() == copy.size()) {
            sealed.add(copy.id());
          }
        }
      }
    }
    return sealed;
  }

  /** The groups that any node holds parts of, with the number of sealed checkpoints. */
  synchronized Map<GroupId, Integer> groups() {
    Map<GroupId, Integer> groups = new HashMap<>();
    for (Set<NodeCopy> copies : byNode.values()) {
      for (NodeCopy copy : copies) {
        groups.computeIfAbsent(copy.id().group(), group -> sealedAtNode(group).size());
      }
    }
    return groups;
  }
}
