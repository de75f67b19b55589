package io.cairn.engine.config;

import java.util.Comparator;
import java.util.Optional;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** The message for a name that no setting has. */
final class UnknownSetting {
  private static final String UNDER_SPARK = "spark.cairn.";

  private UnknownSetting() {}

  /**
   * Names the setting and, if there is one, the nearest known one.
   *
   * @param prefix of the names where the user configured them
   */
  static String message(String key, String prefix) {
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
