package io.cairn.engine.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** The names that settings have. Stateless. */
public final class KnownSettings {
  private static final String UNDER_SPARK = "spark.cairn.";

  private KnownSettings() {}

  /**
   * Rejects names that no setting has, and names without a value.
   *
   * @param prefix of the names where the user configured them, for the message
   * @throws IllegalArgumentException naming the setting and, if it is unknown, the nearest known
   *     one
   */
  public static void require(Map<String, String> values, String prefix) {
    for (Map.Entry<String, String> each : values.entrySet()) {
      String key = String.valueOf(each.getKey());
      if (!isKnown(key)) {
        throw new IllegalArgumentException(unknown(key, prefix));
      }
      if (each.getValue() == null) {
        throw new IllegalArgumentException(
            "setting " + prefix + key + " is null: give a value, or leave it out");
      }
    }
  }

  /** Whether users may configure a name, without the prefix of Spark. */
  public static boolean isKnown(String name) {
    for (Setting<?> setting : Setting.all()) {
      if (setting.isNamed(name)) {
        return setting.use() != Setting.Use.PROPERTY;
      }
    }
    return false;
  }

  private static Stream<Setting<?>> known() {
    return Setting.all().stream().filter(setting -> setting.use() != Setting.Use.PROPERTY);
  }

  /**
   * Rejects properties of the JVM that look like Cairn's and that no setting has.
   *
   * @throws IllegalArgumentException naming the property and the nearest known one
   */
  static void requireProperties(Set<String> given) {
    List<String> known = new ArrayList<>();
    for (Setting<?> setting : Setting.all()) {
      if (setting.use() == Setting.Use.PROPERTY) {
        known.add(setting.name());
      }
    }
    for (String name : given) {
      if (!known.contains(name) && isBesideOneOf(known, name)) {
        throw new IllegalArgumentException(
            "unknown property -D"
                + name
                + nearest(name, known).map(near -> ": did you mean " + near + "?").orElse(""));
      }
    }
  }

  /** Whether a name differs from a known one in its last part alone. */
  private static boolean isBesideOneOf(List<String> known, String name) {
    for (String other : known) {
      int end = other.lastIndexOf('.') + 1;
      if (name.startsWith(other.substring(0, end)) && name.indexOf('.', end) < 0) {
        return true;
      }
    }
    return false;
  }

  private static String unknown(String key, String prefix) {
    boolean doubled = key.startsWith(UNDER_SPARK);
    Optional<String> instead =
        FormerSettings.instead(doubled ? key.substring(UNDER_SPARK.length()) : key, prefix);
    if (instead.isPresent()) {
      return instead.get();
    }
    return "unknown setting "
        + prefix
        + key
        + (doubled ? ": leave out the prefix " + UNDER_SPARK + " here" : "")
        + nearest(doubled ? key.substring(UNDER_SPARK.length()) : key)
            .map(n -> ": did you mean " + prefix + n + "?")
            .orElse("");
  }

  private static Optional<String> nearest(String key) {
    return nearest(key, known().map(Setting::name).toList());
  }

  /** The known name that is the most like a given one; empty if none is known. */
  static Optional<String> nearest(String given, List<String> known) {
    LevenshteinDistance distance = LevenshteinDistance.getDefaultInstance();
    return known.stream().min(Comparator.comparing(name -> distance.apply(name, given)));
  }
}
