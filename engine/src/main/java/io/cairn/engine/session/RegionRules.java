package io.cairn.engine.session;

import io.cairn.Compression;
import io.cairn.RegionOptions;
import io.cairn.flush.codec.Encodings;
import java.io.IOException;
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

  /**
   * The options of a region for which the program asks for these. Loads the library of the region's
   * compression.
   *
   * @throws IllegalArgumentException naming region and library, if the library is absent
   */
  RegionOptions of(String region, RegionOptions asked) {
    RegionOptions options = replacement.over(region, asked);
    if (options.compression().isPresent()) {
      requireLibrary(region, options.compression().get());
    }
    return options;
  }

  private static void requireLibrary(String region, Compression compression) {
    try {
      Encodings.requireLibraries(compression);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "region %s is to be compressed by %s: %s, or ask for another compression"
              .formatted(region, compression.label(), e.getMessage()),
          e);
    }
  }

  /** The configured names that a rank does not protect; each once per process. */
  Set<String> newlyUnknown(Set<String> protectedByRank) {
    Set<String> unknown = new TreeSet<>(names);
    unknown.removeAll(protectedByRank);
    unknown.removeIf(name -> !reported.add(name));
    return unknown;
  }
}
