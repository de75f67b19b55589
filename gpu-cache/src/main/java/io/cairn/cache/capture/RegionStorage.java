package io.cairn.cache.capture;

import io.cairn.RegionOptions;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionEntries;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How the levels below DEVICE store one rank's regions, as entries of a fingerprint. Not
 * thread-safe: the training thread owns it.
 */
final class RegionStorage {
  /** With the other entries they fit a fingerprint. */
  private static final int MOST_ENTRIES = 32;

  private final SortedMap<String, String> entries = new TreeMap<>();

  /**
   * Checks whether a new region may have these options.
   *
   * @return the entries that all regions have with it
   * @throws IllegalArgumentException if all together are too many, or a region without floats or
   *     doubles is to be lossy
   */
  int requireLegal(ProtectedRegion region, RegionOptions asked) {
    Map<String, String> all = new HashMap<>(entries);
    all.putAll(entries(region, asked));
    if (all.size() > MOST_ENTRIES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              ("region %s: a rank's regions have more than %d options together; put regions of"
                  + " equal options into one array"),
              region.name(),
              MOST_ENTRIES));
    }
    return all.size();
  }

  /** The entries of all regions. */
  int entries() {
    return entries.size();
  }

  private static Map<String, String> entries(ProtectedRegion region, RegionOptions asked) {
    return RegionEntries.of(
        region.name(), RegionKind.element(region.kind()), region.expectedBytes(0), asked);
  }

  /** Adds a region, which was checked before. */
  void put(ProtectedRegion region, RegionOptions asked) {
    entries.putAll(entries(region, asked));
  }

  /** A fingerprint with the entries of all regions. */
  Fingerprint addTo(Fingerprint program) {
    Fingerprint all = program;
    for (Map.Entry<String, String> entry : entries.entrySet()) {
      all = all.with(entry.getKey(), entry.getValue());
    }
    return all;
  }
}
