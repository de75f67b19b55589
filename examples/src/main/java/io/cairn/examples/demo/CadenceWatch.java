package io.cairn.examples.demo;

import io.cairn.Cadence;
import io.cairn.Level;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Writes the cadence that a fold begins with, and each change of it, to the fold's log. The
 * training thread owns it.
 */
final class CadenceWatch {
  private static final double MILLIS = 1e3;

  private final Supplier<Optional<Cadence>> newest;
  private final FoldLog log;
  private long first = -1;
  private Optional<Cadence> seen = Optional.empty();

  /** A watch over the newest cadence of the fold's group. */
  CadenceWatch(Supplier<Optional<Cadence>> newest, FoldLog log) {
    this.newest = newest;
    this.log = log;
  }

  /** Writes what is new. Called after each iteration, with the number of completed ones. */
  void look(long completed) {
    first = first < 0 ? completed - 1 : first;
    Optional<Cadence> now = newest.get();
    if (now.isPresent() && !now.equals(seen)) {
      write(now.get());
      seen = now;
    }
  }

  private void write(Cadence cadence) {
    if (seen.isEmpty()) {
      log.cadence(event(first, cadence));
    } else if (seen.get().plan() != cadence.plan()) {
      log.cadence(event(cadence.fromIteration(), cadence));
    }
    if (cadence.seconds() > 0) {
      log.waste(
          new FoldEvent.Waste(
              cadence.seconds(), cadence.predictedSoFar(), cadence.achievedSoFar()));
    }
  }

  /** The event of a plan that holds from an iteration on. */
  static FoldEvent.Cadence event(long atIteration, Cadence cadence) {
    Cadence.Of device = of(cadence, Level.DEVICE);
    Cadence.Of node = of(cadence, Level.NODE);
    Cadence.Of store = of(cadence, Level.STORE);
    return new FoldEvent.Cadence(
        atIteration,
        device.every(),
        node.every(),
        store.every(),
        MILLIS * cadence.iterationSeconds(),
        MILLIS * device.blockingSeconds(),
        MILLIS * node.flushSeconds(),
        MILLIS * store.flushSeconds(),
        cadence.predicted(),
        bound(cadence));
  }

  private static Cadence.Of of(Cadence cadence, Level level) {
    return cadence.levels().getOrDefault(level, new Cadence.Of(0, "", Double.NaN, Double.NaN));
  }

  /** Such as {@code within}, or {@code node within, store optimum} where the levels differ. */
  private static String bound(Cadence cadence) {
    Map<Level, String> bounds = new EnumMap<>(Level.class);
    cadence.levels().forEach((level, of) -> bounds.put(level, of.bound()));
    bounds.values().removeIf(String::isEmpty);
    // DEVICE captures every iteration, unless that costs too much
    bounds.remove(Level.DEVICE, "start");
    bounds.remove(Level.DEVICE, "optimum");
    Set<String> kinds = Set.copyOf(bounds.values());
    return kinds.size() == 1
        ? kinds.iterator().next()
        : bounds.entrySet().stream()
            .map(bound -> bound.getKey().name().toLowerCase(Locale.ROOT) + " " + bound.getValue())
            .collect(Collectors.joining(", "));
  }
}
