package io.cairn.engine.session;

import io.cairn.core.session.RegionOptions;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** The configured options of regions, for all ranks of a process. Thread-safe. */
public final class RegionRules {
  private final Set<String> names;
  private final Replacement replacement;
  private final Set<String> reported = ConcurrentHashMap.newKeySet();

  /** Replaces what programs ask for. */
  @FunctionalInterface
  public interface Replacement {
    /** The options of a region for which the program asks for these. */
    RegionOptions over(String region, RegionOptions asked);
  }

  /**
   * Rules for these regions.
   *
   * @param names of the regions that the configuration names
   */
  public RegionRules(Set<String> names, Replacement replacement) {
    this.names = Set.copyOf(names);
    this.replacement = replacement;
  }

  /** Rules that replace nothing. */
  public static RegionRules none() {
    return new RegionRules(Set.of(), (region, asked) -> asked);
  }

  /** The options of a region for which the program asks for these. */
  RegionOptions of(String region, RegionOptions asked) {
    return replacement.over(region, asked);
  }

  /** The configured names that a rank does not protect; each once per process. */
  Set<String> newlyUnknown(Set<String> protectedByRank) {
    Set<String> unknown = new TreeSet<>(names);
    unknown.removeAll(protectedByRank);
    unknown.removeIf(name -> !reported.add(name));
    return unknown;
  }
}
