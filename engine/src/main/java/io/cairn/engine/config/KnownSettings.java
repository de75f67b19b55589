package io.cairn.engine.config;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
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
          if (Setting.ALL.stream().noneMatch(setting -> setting.name().equals(key))) {
            throw new IllegalArgumentException(unknown(String.valueOf(key), prefix));
          }
          if (value == null) {
            throw new IllegalArgumentException(
                "setting " + prefix + key + " is null: give a value, or leave it out");
          }
        });
  }

  private static String unknown(String key, String prefix) {
    boolean doubled = key.startsWith(UNDER_SPARK);
    return "unknown setting "
        + prefix
        + key
        + (doubled ? ": leave out the prefix " + UNDER_SPARK + " here" : "")
        + nearest(doubled ? key.substring(UNDER_SPARK.length()) : key)
            .map(n -> ": did you mean " + prefix + n + "?")
            .orElse("");
  }

  private static Optional<String> nearest(String key) {
    LevenshteinDistance distance = LevenshteinDistance.getDefaultInstance();
    return Setting.ALL.stream()
        .map(Setting::name)
        .min(Comparator.comparing(n -> distance.apply(n, key)));
  }
}
