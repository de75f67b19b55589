package io.cairn.engine.config;

import io.cairn.Compression;
import io.cairn.ErrorBound;
import io.cairn.RegionOptions;
import io.cairn.internal.PathSegment;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
  /** How single regions are compressed. */
  public static final Setting CODEC =
      new Setting(
          "region.codec",
          "",
          "Compression of single regions at NODE and STORE, such as `weights=shuffle-zstd,"
              + " index=none`. It replaces what the program asks for, and `node.codec` and"
              + " `store.codec`.");

  /** The regions that may be restored within an error. */
  public static final Setting LOSS =
      new Setting(
          "region.loss",
          "",
          "The most by which restored floats or doubles of single regions may differ from the"
              + " captured ones, such as `moments=0.001` or, relative to each value,"
              + " `moments=0.1%`. All other regions are restored bit for bit.");

  private static final Pattern NUMBER =
      Pattern.compile("\\d{1,18}(?:\\.\\d{1,18})?(?:[eE][+-]?\\d{1,3})?");

  private static final String PERCENT = "%";

  /** Copies the maps. */
  public RegionSettings {
    codecs = Map.copyOf(codecs);
    losses = Map.copyOf(losses);
  }

  static RegionSettings of(SettingValues given) {
    return new RegionSettings(
        each(given, CODEC, "weights=shuffle-zstd", RegionSettings::codec),
        each(given, LOSS, "moments=0.001 or moments=0.1%", RegionSettings::loss));
  }

  private static <T> Map<String, T> each(
      SettingValues given, Setting setting, String example, Function<String, T> parse) {
    Map<String, T> values = new TreeMap<>();
    for (String pair : given.names(setting)) {
      int equals = pair.indexOf('=');
      String region = pair.substring(0, Math.max(0, equals)).strip();
      if (!PathSegment.isLegal(region)) {
        throw given.illegal(setting, "names of regions with values, such as " + example);
      }
      try {
        if (values.put(region, parse.apply(pair.substring(equals + 1).strip())) != null) {
          throw new IllegalArgumentException(region + " is named twice");
        }
      } catch (IllegalArgumentException e) {
        throw given.illegal(setting, "another value (" + e.getMessage() + "), such as " + example);
      }
    }
    return values;
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

  /** The options of a region, where the configuration replaces those that the program asks for. */
  public RegionOptions over(String region, RegionOptions asked) {
    RegionOptions options = asked;
    Compression codec = codecs.get(region);
    if (codec != null) {
      options = options.withCompression(codec);
    }
    ErrorBound loss = losses.get(region);
    return loss == null ? options : options.withLoss(loss);
  }
}
