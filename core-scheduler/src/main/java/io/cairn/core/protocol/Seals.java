package io.cairn.core.protocol;

import io.cairn.Level;
import io.cairn.core.model.ContainerSummary;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Records, for one epoch, which ranks hold which iteration at which level. Bounded: the oldest
 * entries of a level are dropped, so that a rank that hangs costs no memory. A fast level drops
 * none of a slow one. Not thread-safe.
 */
final class Seals {
  /** The most entries of a level; beyond it the oldest are dropped. */
  static final int MAX_PENDING = 4096;

  /** One iteration at one level, ordered by iteration. */
  record Key(long iteration, Level level) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byIteration = Long.compare(iteration, other.iteration);
      return byIteration != 0 ? byIteration : level.compareTo(other.level);
    }
  }

  /** The reports of the ranks, until it is settled. */
  private static final class Entry {
    private Map<Integer, List<ContainerSummary>> held = new TreeMap<>();
    private boolean settled;
    private boolean abandoned;

    /** Whether ranks report it for a second time. */
    private boolean again;

    /** The ranks that do not report it for a second time yet: what they say is of the first. */
    private final Set<Integer> inFirstRound = new TreeSet<>();

    void settle() {
      settled = true;
      held = Map.of();
    }
  }

  private final int size;
  private final Map<Level, NavigableMap<Long, Entry>> entries = new EnumMap<>(Level.class);

  /** The newest dropped iterations; they and older ones are over, and no report reopens them. */
  private final Map<Level, Long> floors = new EnumMap<>(Level.class);

  Seals(int size) {
    this.size = size;
    for (Level level : Level.values()) {
      entries.put(level, new TreeMap<>());
    }
  }

  private NavigableMap<Long, Entry> at(Level level) {
    return Objects.requireNonNull(entries.get(level));
  }

  private @Nullable Entry find(Key key) {
    return at(key.level()).get(key.iteration());
  }

  private Entry findOrAdd(Key key) {
    return at(key.level()).computeIfAbsent(key.iteration(), i -> new Entry());
  }

  /**
   * Records that a rank holds it.
   *
   * @return the containers of all ranks, by rank, once: when with this rank all ranks hold it
   */
  Optional<List<ContainerSummary>> held(Key key, int rank, List<ContainerSummary> containers) {
    if (isOver(key)) {
      return Optional.empty();
    }
    Entry entry = findOrAdd(key);
    if (entry.settled
        || entry.held.putIfAbsent(rank, containers) != null
        || entry.held.size() < size) {
      return Optional.empty();
    }
    List<ContainerSummary> all = entry.held.values().stream().flatMap(List::stream).toList();
    entry.settle();
    return Optional.of(all);
  }

  /** Records that it will not be sealed; true if it was unsettled. */
  boolean abandon(Key key) {
    if (isOver(key)) {
      return false;
    }
    Entry entry = findOrAdd(key);
    boolean news = !entry.settled;
    entry.abandoned |= news;
    entry.settle();
    return news;
  }

  /**
   * Records that a rank does not hold it, so that it will not be sealed. Says nothing of the second
   * round if that rank is still in the first.
   *
   * @return whether it was unsettled, and is settled now
   */
  boolean gaveUp(Key key, int rank) {
    Entry entry = find(key);
    if (entry != null && !entry.settled && entry.inFirstRound.contains(rank)) {
      entry.held.remove(rank);
      return false;
    }
    return abandon(key);
  }

  /** All ranks hold it, and its commit failed: it may be tried again, as if it were given up. */
  void uncommitted(Key key) {
    Entry entry = find(key);
    if (entry != null) {
      entry.abandoned = true;
    }
  }

  /** Records nothing of what was given up any more: every rank reports it anew. */
  void reopen(Key key) {
    Entry entry = find(key);
    if (entry != null && entry.abandoned) {
      Entry fresh = new Entry();
      fresh.again = entry.again;
      at(key.level()).put(key.iteration(), fresh);
    }
  }

  /** Whether it was given up, and no report of it was taken since. */
  boolean isAbandoned(Key key) {
    Entry entry = find(key);
    return entry != null && entry.abandoned;
  }

  /** Like {@link #reopen}, at most once, for a second round of reports; whether it was reopened. */
  boolean again(Key key, int rank) {
    Entry entry = find(key);
    if (entry != null) {
      entry.inFirstRound.remove(rank);
    }
    if (entry == null || !entry.abandoned || entry.again) {
      return false;
    }
    Entry fresh = new Entry();
    fresh.again = true;
    for (int each = 0; each < size; each++) {
      fresh.inFirstRound.add(each);
    }
    fresh.inFirstRound.remove(rank);
    at(key.level()).put(key.iteration(), fresh);
    return true;
  }

  /**
   * The unsettled entries that a rank will not report: of iterations after its last one, and those
   * in their second round while the rank is in the first.
   */
  List<Key> unsettledWithout(int rank, long last) {
    List<Key> unsettled = new ArrayList<>();
    entries.forEach(
        (level, all) ->
            all.forEach(
                (iteration, entry) -> {
                  if (!entry.settled && (iteration > last || entry.inFirstRound.contains(rank))) {
                    unsettled.add(new Key(iteration, level));
                  }
                }));
    Collections.sort(unsettled);
    return unsettled;
  }

  /** The oldest unsettled entry of a level. */
  Optional<Key> oldestOpen(Level level) {
    return at(level).entrySet().stream()
        .filter(entry -> !entry.getValue().settled)
        .map(entry -> new Key(entry.getKey(), level))
        .findFirst();
  }

  /** The ranks that have not reported an unsettled entry, in order. */
  Set<Integer> missing(Key key) {
    Set<Integer> missing = new TreeSet<>();
    for (int rank = 0; rank < size; rank++) {
      if (!Objects.requireNonNull(find(key)).held.containsKey(rank)) {
        missing.add(rank);
      }
    }
    return missing;
  }

  /** Whether it is sealed or given up. */
  boolean isSettled(Key key) {
    Entry entry = find(key);
    return isOver(key) || (entry != null && entry.settled);
  }

  private boolean isOver(Key key) {
    return key.iteration() <= floors.getOrDefault(key.level(), Long.MIN_VALUE);
  }

  /** The number of reports that are remembered. */
  int reports() {
    return entries.values().stream()
        .flatMap(all -> all.values().stream())
        .mapToInt(entry -> entry.held.size())
        .sum();
  }

  /** Drops the oldest entries above the bound; returns those that were unsettled. */
  List<Key> trim() {
    List<Key> givenUp = new ArrayList<>();
    entries.forEach(
        (level, all) -> {
          while (all.size() > MAX_PENDING) {
            Map.Entry<Long, Entry> oldest = all.pollFirstEntry();
            floors.put(level, oldest.getKey());
            if (!oldest.getValue().settled) {
              givenUp.add(new Key(oldest.getKey(), level));
            }
          }
        });
    return givenUp;
  }
}
