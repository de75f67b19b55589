package io.cairn.core;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/**
 * Runs a simulation with one seed after the other. A run returns how often what happened, or throws
 * an {@link AssertionError} that names its seed.
 */
public final class SeededRuns {
  private SeededRuns() {}

  /** The violation that the first failing seed shows; later seeds do not run. */
  public static Optional<String> firstViolation(
      LongStream seeds, LongFunction<Map<String, Integer>> simulation) {
    return seeds
        .mapToObj(seed -> violation(seed, simulation))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<String> violation(
      long seed, LongFunction<Map<String, Integer>> simulation) {
    try {
      var unused = simulation.apply(seed);
      return Optional.empty();
    } catch (AssertionError e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** The same simulation, which runs once with each seed, however many tests ask. Thread-safe. */
  public static LongFunction<Map<String, Integer>> once(
      LongFunction<Map<String, Integer>> simulation) {
    Map<Long, Map<String, Integer>> runs = new ConcurrentHashMap<>();
    return seed -> runs.computeIfAbsent(seed, simulation::apply);
  }

  /** How often what happened in all of the runs. */
  public static Map<String, Integer> counts(
      LongStream seeds, LongFunction<Map<String, Integer>> simulation) {
    Map<String, Integer> counts = new TreeMap<>();
    seeds
        .mapToObj(simulation)
        .forEach(run -> run.forEach((what, times) -> counts.merge(what, times, Integer::sum)));
    return counts;
  }
}
