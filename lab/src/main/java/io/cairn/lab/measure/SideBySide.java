package io.cairn.lab.measure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Ways to the same end, side by side: they take turns in each round, in the order in which they
 * were added, so that drift of the machine hits all alike. Medians of all rounds count. Not
 * thread-safe.
 */
public final class SideBySide {
  private final Map<String, Way> ways = new LinkedHashMap<>();
  private final Map<String, List<Double>> found = new LinkedHashMap<>();

  /** A way, once. */
  @FunctionalInterface
  public interface Way {
    /** Goes it, and returns its cost. */
    double cost() throws IOException;
  }

  /** Adds a way. */
  public SideBySide way(String name, Way way) {
    ways.put(name, way);
    found.put(name, new ArrayList<>());
    return this;
  }

  /** Lets all ways take so many turns more. */
  public SideBySide run(int rounds) throws IOException {
    for (int round = 0; round < rounds; round++) {
      for (Map.Entry<String, Way> way : ways.entrySet()) {
        costs(way.getKey()).add(way.getValue().cost());
      }
    }
    return this;
  }

  /** The median cost of a way. */
  public double median(String name) {
    return Middle.of(costs(name));
  }

  /** How many times a way costs what another one does, by their medians. */
  public double ratio(String name, String beside) {
    return median(name) / median(beside);
  }

  private List<Double> costs(String name) {
    List<Double> costs = found.get(name);
    if (costs == null) {
      throw new IllegalArgumentException("no way " + name + " among " + found.keySet());
    }
    return costs;
  }
}
