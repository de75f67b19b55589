package io.cairn.engine.config;

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
    values.forEach(
        (key, value) -> {
          if (!isKnown(String.valueOf(key))) {
            throw new IllegalArgumentException(unknown(String.valueOf(key), prefix));
          }
          if (value == null) {
            throw new IllegalArgumentException(
                "setting " + prefix + key + " is null: give a value, or leave it out");
          }
        });
  }

  /** Whether users may configure a name, without the prefix of Spark. */
  public static boolean isKnown(String name) {
    return known().anyMatch(setting -> setting.isNamed(name));
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
    List<String> known =
        Setting.all().stream()
            .filter(setting -> setting.use() == Setting.Use.PROPERTY)
            .map(Setting::name)
            .toList();
    for (String name : given) {
      if (!known.contains(name) && known.stream().anyMatch(one -> isBeside(name, one))) {
        throw new IllegalArgumentException(
            "unknown property -D"
                + name
                + nearest(name, known).map(near -> ": did you mean " + near + "?").orElse(""));
      }
    }
  }

  /** Whether two names differ in their last part alone. */
  private static boolean isBeside(String one, String other) {
    int end = other.lastIndexOf('.') + 1;
    return one.startsWith(other.substring(0, end)) && one.indexOf('.', end) < 0;
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
