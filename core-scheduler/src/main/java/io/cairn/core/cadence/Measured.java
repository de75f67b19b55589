package io.cairn.core.cadence;

import io.cairn.Level;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The measurements of all ranks: iteration times, and the costs of each level. A group is as slow
 * as its slowest rank, so blocking times and latencies are the longest of any rank. Not
 * thread-safe.
 */
final class Measured {
  private static final double NANOS = 1e-9;
  private static final Learned.Cost NONE = new Learned.Cost(0, 0, 0);

  /** By level and rank. */
  private final Map<Level, Map<Integer, Smoothed>> blocked = new EnumMap<>(Level.class);

  private final Map<Level, Map<Integer, Smoothed>> latency = new EnumMap<>(Level.class);

  /** Iteration times, by the levels to which a flush was under way. */
  private final Map<Set<Level>, Smoothed> work = new HashMap<>();

  /** Costs that an earlier coordinator measured; each counts until it is measured again. */
  private Map<Level, Learned.Cost> earlier = Map.of();

  private double earlierIterationSeconds;

  private final Set<Level> fresh = EnumSet.noneOf(Level.class);
  private final Set<Level> doubtful = EnumSet.noneOf(Level.class);

  /** Takes costs that count until they are measured. */
  void begin(Learned learned) {
    earlier = learned.costs();
    earlierIterationSeconds = learned.iterationSeconds();
  }

  void add(int rank, Level level, Measurement measured) {
    if (measured.equals(Measurement.NONE)) {
      return;
    }
    fresh.add(level);
    doubtful.remove(level);
    at(blocked, level, rank).add(measured.blockedNanos() * NANOS);
    at(latency, level, rank).add(measured.latencyNanos() * NANOS);
    if (measured.workNanos() > 0) {
      work.computeIfAbsent(measured.flushing(), f -> new Smoothed())
          .add(measured.workNanos() * NANOS);
    }
  }

  private static Smoothed at(Map<Level, Map<Integer, Smoothed>> all, Level level, int rank) {
    return all.computeIfAbsent(level, l -> new HashMap<>())
        .computeIfAbsent(rank, r -> new Smoothed());
  }

  /** A pattern ended. If any cost changed in it, costs that it did not measure are doubtful. */
  void settle() {
    if (changed(blocked) || changed(latency)) {
      doubtful.addAll(latency.keySet());
      doubtful.removeAll(fresh);
    }
    fresh.clear();
    blocked.values().forEach(ranks -> ranks.values().forEach(Smoothed::settle));
    latency.values().forEach(ranks -> ranks.values().forEach(Smoothed::settle));
    work.values().forEach(Smoothed::settle);
  }

  private static boolean changed(Map<Level, Map<Integer, Smoothed>> costs) {
    return costs.values().stream()
        .flatMap(ranks -> ranks.values().stream())
        .anyMatch(Smoothed::changed);
  }

  /** The levels whose costs were last measured before the costs of other levels changed. */
  Set<Level> doubtful() {
    return Set.copyOf(doubtful);
  }

  /** Whether a level was ever measured. */
  boolean knows(Level level) {
    return latency.containsKey(level) || earlier.containsKey(level);
  }

  double blockedSeconds(Level level) {
    return longest(blocked, level).orElse(earlier(level).blockingSeconds());
  }

  double latencySeconds(Level level) {
    return longest(latency, level).orElse(earlier(level).flushSeconds());
  }

  private Learned.Cost earlier(Level level) {
    return earlier.getOrDefault(level, NONE);
  }

  private static OptionalDouble longest(Map<Level, Map<Integer, Smoothed>> all, Level level) {
    return all.getOrDefault(level, Map.of()).values().stream().mapToDouble(Smoothed::value).max();
  }

  /**
   * The time of an iteration without a flush; if a flush is always under way, the shortest time
   * with one. 0 if none was measured.
   */
  double iterationSeconds() {
    Smoothed quiet = work.get(Set.of());
    return quiet != null
        ? quiet.value()
        : work.values().stream().mapToDouble(Smoothed::value).min().orElse(earlierIterationSeconds);
  }

  /**
   * The part by which an iteration is slower during a flush to that level alone. The flush lasts
   * for all of the iteration or for its latency; the rest of that time is work.
   */
  double overheadFactor(Level level) {
    Smoothed slowed = work.get(Set.of(level));
    double quiet = iterationSeconds();
    double latency = latencySeconds(level);
    if (slowed == null || quiet <= 0 || latency <= 0) {
      return earlier(level).overheadFactor();
    }
    double extra = Math.max(0, slowed.value() - quiet);
    double worked = Math.min(slowed.value(), latency) - extra;
    return extra / (worked > 0 ? worked : Math.min(quiet, latency));
  }
}
