package io.cairn.core.protocol;

import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Records, for one epoch, which ranks hold which iteration at which level. Bounded: the oldest
 * entries are dropped, so that a rank that hangs costs no memory. Not thread-safe.
 */
final class Seals {
  /** The most entries; beyond it the oldest are dropped. */
  static final int MAX_PENDING = 4096;

  /** One iteration at one level, ordered by iteration. */
  record Key(long iteration, Level level) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byIteration = Long.compare(iteration, other.iteration);
      return byIteration != 0 ? byIteration : level.compareTo(other.level);
    }
  }

  private static final class Entry {
    private final Map<Integer, Optional<ContainerSummary>> held = new TreeMap<>();
    private boolean settled;
  }

  private final int size;
  private final TreeMap<Key, Entry> entries = new TreeMap<>();

  /** The newest dropped entry; it and older ones are over, and no report reopens them. */
  private Optional<Key> floor = Optional.empty();

  Seals(int size) {
    this.size = size;
  }

  /** Records that a rank holds it; true once, when with this rank all ranks do. */
  boolean held(Key key, int rank, Optional<ContainerSummary> container) {
    if (isOver(key)) {
      return false;
    }
    Entry entry = entries.computeIfAbsent(key, k -> new Entry());
    if (entry.settled || entry.held.putIfAbsent(rank, container) != null) {
      return false;
    }
    entry.settled = entry.held.size() == size;
    return entry.settled;
  }

  /** Records that it will not be sealed; true if it was unsettled. */
  boolean abandon(Key key) {
    if (isOver(key)) {
      return false;
    }
    Entry entry = entries.computeIfAbsent(key, k -> new Entry());
    boolean news = !entry.settled;
    entry.settled = true;
    return news;
  }

  /** The unsettled entries of iterations after this one. */
  List<Key> unsettledAfter(long iteration) {
    return entries.entrySet().stream()
        .filter(entry -> entry.getKey().iteration() > iteration && !entry.getValue().settled)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Whether it is sealed or given up. */
  boolean isSettled(Key key) {
    Entry entry = entries.get(key);
    return isOver(key) || (entry != null && entry.settled);
  }

  private boolean isOver(Key key) {
    return floor.filter(newest -> key.compareTo(newest) <= 0).isPresent();
  }

  /** The containers of all ranks, by rank. */
  List<ContainerSummary> containers(Key key) {
    Entry entry = entries.get(key);
    return entry == null
        ? List.of()
        : entry.held.values().stream().flatMap(Optional::stream).toList();
  }

  /** Drops the oldest entries above the bound; returns those that were unsettled. */
  List<Key> trim() {
    List<Key> givenUp = new ArrayList<>();
    while (entries.size() > MAX_PENDING) {
      Map.Entry<Key, Entry> oldest = entries.pollFirstEntry();
      floor = Optional.of(oldest.getKey());
      if (!oldest.getValue().settled) {
        givenUp.add(oldest.getKey());
      }
    }
    return givenUp;
  }
}
