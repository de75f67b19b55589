package io.cairn.core.session;

import io.cairn.core.model.Fingerprint;
import java.util.Map;
import java.util.TreeMap;

/**
 * The entries of a fingerprint that say how regions are treated: {@code codec.weights zstd}. They
 * travel with a checkpoint to every process that writes it again. Stateless.
 */
public final class RegionEntries {
  private static final String CODEC = "codec.";

  private RegionEntries() {}

  /** The entries of one region, by name; none for {@link RegionOptions#DEFAULT}. */
  public static Map<String, String> of(String region, RegionOptions options) {
    Map<String, String> entries = new TreeMap<>();
    options.compression().ifPresent(own -> entries.put(CODEC + region, own.label()));
    return entries;
  }

  /**
   * The compressions that regions ask for, by the region's name. A label that this version does not
   * know counts as absent: it says how to write, and not how to read.
   */
  public static Map<String, Compression> compressions(Fingerprint program) {
    Map<String, Compression> compressions = new TreeMap<>();
    program
        .entries()
        .forEach(
            (name, value) -> {
              if (name.startsWith(CODEC)) {
                Compression.of(value)
                    .ifPresent(own -> compressions.put(name.substring(CODEC.length()), own));
              }
            });
    return compressions;
  }
}
