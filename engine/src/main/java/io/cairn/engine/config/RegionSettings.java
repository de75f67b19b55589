package io.cairn.engine.config;

import io.cairn.Compression;
import io.cairn.ErrorBound;
import io.cairn.RegionOptions;
import io.cairn.flush.codec.Encodings;
import io.cairn.internal.PathSegment;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How single regions are treated, by configuration alone.
 *
 * @param codecs by the region's name
 * @param losses by the region's name
 */
public record RegionSettings(Map<String, Compression> codecs, Map<String, ErrorBound> losses) {
  private static final Pattern NUMBER =
      Pattern.compile("\\d{1,18}(?:\\.\\d{1,18})?(?:[eE][+-]?\\d{1,3})?");

  private static final String PERCENT = "%";

  /** How single regions are compressed. */
  static final ValueType<Map<String, Compression>> CODECS =
      each("weights=shuffle-zstd", RegionSettings::codec);

  /** The regions that may be restored within an error. */
  static final ValueType<Map<String, ErrorBound>> LOSSES =
      each("moments=0.001 or moments=0.1%", RegionSettings::loss);

  /** No region is treated otherwise than its program asks. */
  public static final RegionSettings NONE = new RegionSettings(Map.of(), Map.of());

  /** Copies the maps. */
  public RegionSettings {
    codecs = Map.copyOf(codecs);
    losses = Map.copyOf(losses);
  }

  static RegionSettings of(SettingValues given) {
    return new RegionSettings(given.get(Setting.REGION_CODEC), given.get(Setting.REGION_LOSS));
  }

  private static <T> ValueType<Map<String, T>> each(String example, Function<String, T> parse) {
    String expected = "names of regions with values, such as " + example;
    return new ValueType<>(
        expected,
        text -> {
          Map<String, T> values = new TreeMap<>();
          for (String pair : ValueType.names(text)) {
            int equals = pair.indexOf('=');
            String region = pair.substring(0, Math.max(0, equals)).strip();
            if (!PathSegment.isLegal(region)) {
              return Optional.empty();
            }
            try {
              if (values.put(region, parse.apply(pair.substring(equals + 1).strip())) != null) {
                throw new IllegalArgumentException(region + " is named twice");
              }
            } catch (IllegalArgumentException e) {
              throw new IllegalArgumentException(
                  "give another value (" + e.getMessage() + "), such as " + example, e);
            }
          }
          return Optional.of(values);
        });
  }

  private static Compression codec(String label) {
    return Compression.of(label)
        .orElseThrow(
            () -> {
              List<String> known = Stream.of(Compression.values()).map(Compression::label).toList();
              return new IllegalArgumentException(
                  "unknown codec '%s': did you mean %s?"
                      .formatted(label, KnownSettings.nearest(label, known).orElseThrow()));
            });
  }

  private static ErrorBound loss(String text) {
    boolean relative = text.endsWith(PERCENT);
    String number = relative ? text.substring(0, text.length() - 1).strip() : text;
    if (!NUMBER.matcher(number).matches()) {
      throw new IllegalArgumentException("'" + text + "' is no error bound");
    }
    BigDecimal exact = new BigDecimal(number);
    return relative
        ? ErrorBound.relative(exact.movePointLeft(2).doubleValue())
        : ErrorBound.absolute(exact.doubleValue());
  }

  /** The names of all regions that are named. */
  public Set<String> names() {
    Set<String> names = new HashSet<>(codecs.keySet());
    names.addAll(losses.keySet());
    return names;
  }

  /**
   * The options of a region, where the configuration replaces those that the program asks for.
   * Loads the library of its compression.
   *
   * @throws IllegalArgumentException naming region and library, if the library is absent
   */
  public RegionOptions over(String region, RegionOptions asked) {
    RegionOptions options = asked;
    Compression codec = codecs.get(region);
    if (codec != null) {
      options = options.withCompression(codec);
    }
    ErrorBound loss = losses.get(region);
    RegionOptions all = loss == null ? options : options.withLoss(loss);
    all.compression().ifPresent(compression -> requireLibrary(region, compression));
    return all;
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
}
