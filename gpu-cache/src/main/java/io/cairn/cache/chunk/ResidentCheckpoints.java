package io.cairn.cache.chunk;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The checkpoints of a cache, and the choice of those to evict. Used under the cache's lock. */
final class ResidentCheckpoints {
  private record Key(CheckpointId id, int rank) {}

  private record Owner(GroupId group, int rank) {
    static Owner of(CachedCheckpoint checkpoint) {
      return new Owner(checkpoint.id().group(), checkpoint.rank());
    }
  }

  // in the order of reservation
  private final Map<Key, CachedCheckpoint> live = new LinkedHashMap<>();

  // the newest that its group has sealed at a level below; of each group that is here
  private final Map<GroupId, CheckpointId> below = new HashMap<>();

  boolean contains(CheckpointId id, int rank) {
    return live.containsKey(new Key(id, rank));
  }

  void add(CachedCheckpoint checkpoint) {
    live.put(new Key(checkpoint.id(), checkpoint.rank()), checkpoint);
  }

  void remove(CachedCheckpoint checkpoint) {
    live.remove(new Key(checkpoint.id(), checkpoint.rank()), checkpoint);
    GroupId group = checkpoint.id().group();
    if (live.values().stream().noneMatch(one -> one.id().group().equals(group))) {
      below.remove(group);
    }
  }

  List<CachedCheckpoint> all() {
    return List.copyOf(live.values());
  }

  Optional<CachedCheckpoint> findComplete(CheckpointId id, int rank) {
    return Optional.ofNullable(live.get(new Key(id, rank))).filter(CachedCheckpoint::isComplete);
  }

  /** A rank's complete ones, the newest first. */
  List<CachedCheckpoint> completeOf(GroupId group, int rank) {
    return live.values().stream()
        .filter(one -> one.rank() == rank && one.id().group().equals(group))
        .filter(CachedCheckpoint::isComplete)
        .sorted(Comparator.comparing(CachedCheckpoint::id).reversed())
        .toList();
  }

  /** Free slots, and those of the checkpoints that may be evicted. */
  int room(SlotPool pool, Predicate<CachedCheckpoint> evictable) {
    int room = pool.freeSlots();
    for (CachedCheckpoint one : live.values()) {
      room += evictable.test(one) ? one.placement().slotsIn(pool) : 0;
    }
    return room;
  }

  /**
   * The checkpoints to evict for so many free slots: the superseded ones, the oldest first, and
   * then the others; empty if evicting all of them would not do.
   */
  Optional<List<CachedCheckpoint>> leaving(
      SlotPool pool, int slots, Predicate<CachedCheckpoint> evictable) {
    List<CachedCheckpoint> leaving = new ArrayList<>();
    int room = pool.freeSlots();
    Iterator<CachedCheckpoint> candidates =
        room >= slots ? Collections.emptyIterator() : inOrder(evictable).iterator();
    while (room < slots && candidates.hasNext()) {
      CachedCheckpoint candidate = candidates.next();
      int gain = candidate.placement().slotsIn(pool);
      if (gain > 0) {
        leaving.add(candidate);
        room += gain;
      }
    }
    return room >= slots ? Optional.of(leaving) : Optional.empty();
  }

  private List<CachedCheckpoint> inOrder(Predicate<CachedCheckpoint> evictable) {
    Predicate<CachedCheckpoint> superseded = superseded();
    List<CachedCheckpoint> first = new ArrayList<>();
    List<CachedCheckpoint> then = new ArrayList<>();
    for (CachedCheckpoint one : live.values()) {
      if (evictable.test(one)) {
        (superseded.test(one) ? first : then).add(one);
      }
    }
    first.addAll(then);
    return first;
  }

  /** Records that the group has sealed this checkpoint at a level. */
  void seal(CheckpointId id, Level level) {
    boolean here = false;
    for (CachedCheckpoint one : live.values()) {
      here |= one.id().group().equals(id.group());
      if (one.id().equals(id)) {
        one.seal();
      }
    }
    if (here && level != Level.DEVICE) {
      below.merge(id.group(), id, (a, b) -> a.compareTo(b) > 0 ? a : b);
    }
  }

  /**
   * Checkpoints that may be evicted, but for two of each rank: the newest, and the newest that its
   * group has sealed.
   */
  Predicate<CachedCheckpoint> superseded() {
    Map<Owner, CheckpointId> newest = newest(CachedCheckpoint::isComplete);
    Map<Owner, CheckpointId> sealed = newest(CachedCheckpoint::isSealed);
    return one ->
        one.evictable()
            && !one.id().equals(newest.get(Owner.of(one)))
            && !one.id().equals(sealed.get(Owner.of(one)));
  }

  /**
   * The checkpoints to evict, so that the slab of a pool that leaves becomes empty: those that are
   * superseded, or that a level below can replace.
   */
  List<CachedCheckpoint> leavingSlab(SlotPool pool) {
    Predicate<CachedCheckpoint> superseded = superseded();
    return live.values().stream()
        .filter(one -> superseded.test(one) || (one.evictable() && isBelow(one.id())))
        .filter(one -> one.placement().isInLeaving(pool))
        .toList();
  }

  private boolean isBelow(CheckpointId id) {
    CheckpointId saved = below.get(id.group());
    return saved != null && id.compareTo(saved) <= 0;
  }

  private Map<Owner, CheckpointId> newest(Predicate<CachedCheckpoint> which) {
    Map<Owner, CheckpointId> newest = new HashMap<>();
    for (CachedCheckpoint one : live.values()) {
      if (which.test(one)) {
        newest.merge(Owner.of(one), one.id(), (a, b) -> a.compareTo(b) > 0 ? a : b);
      }
    }
    return newest;
  }
}
