package io.cairn.engine.promotion;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Outcome;
import io.cairn.flush.format.Base;
import io.cairn.flush.format.Leaning;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The containers that the next ones at one level lean on: for each rank the newest of its epoch
 * that was published there, and was not given up. A rank without one writes everything.
 * Thread-safe.
 */
final class Bases {
  /*
   * Why not the newest that was sealed
   *
   * A checkpoint that waits for its seal replaces older ones once it is sealed. A newer one that
   * leans on those would then fail. One that leans on the waiting checkpoint needs nothing but that
   * and what that leans on.
   */

  /** Containers of one rank whose outcome is not known. */
  private static final int MOST_PENDING = 8;

  private final int maxLayers;
  private final Map<GroupId, Map<Integer, OfRank>> groups = new HashMap<>();

  private static final class OfRank {
    private final NavigableMap<CheckpointId, Base> pending = new TreeMap<>();
    private @Nullable Base sealed;

    @Nullable Base newest() {
      return pending.isEmpty() ? sealed : pending.lastEntry().getValue();
    }
  }

  /**
   * No container is known.
   *
   * @param maxLayers containers that one leans on at most; with 0 none leans on another
   */
  Bases(int maxLayers) {
    this.maxLayers = maxLayers;
  }

  /** Whether containers lean on others at this level. */
  boolean isOn() {
    return maxLayers > 0;
  }

  /** How to write a checkpoint whole, so that later ones can lean on it. */
  Leaning none() {
    return new Leaning(Optional.empty(), maxLayers);
  }

  /** How to write a rank's checkpoint. */
  synchronized Leaning of(CheckpointId id, int rank) {
    Base newest = rank(id.group(), rank).newest();
    if (newest == null || newest.id().epoch() != id.epoch() || newest.id().compareTo(id) >= 0) {
      return none();
    }
    return new Leaning(Optional.of(newest), maxLayers);
  }

  /** A rank's container was written; at NODE, published. */
  synchronized void written(int rank, Base base) {
    NavigableMap<CheckpointId, Base> pending = rank(base.id().group(), rank).pending;
    pending.put(base.id(), base);
    if (pending.size() > MOST_PENDING) {
      pending.pollFirstEntry();
    }
  }

  /**
   * The group settled a checkpoint at this level. After a failure the next one is written whole:
   * files that the last one leaned on may be gone.
   */
  synchronized void settled(CheckpointId id, int rank, Outcome outcome) {
    Map<Integer, OfRank> ranks = groups.getOrDefault(id.group(), Map.of());
    OfRank of = ranks.get(rank);
    if (of == null) {
      return;
    } else if (outcome instanceof Outcome.Failed) {
      ranks.remove(rank);
      return;
    }
    Base base = of.pending.remove(id);
    if (outcome instanceof Outcome.Sealed && base != null) {
      of.sealed = base;
      of.pending.headMap(id).clear();
    }
  }

  /** Forgets a group, of which no rank is in this process any more. */
  synchronized void left(GroupId group) {
    groups.remove(group);
  }

  private OfRank rank(GroupId group, int rank) {
    return groups
        .computeIfAbsent(group, g -> new HashMap<>())
        .computeIfAbsent(rank, r -> new OfRank());
  }
}
