package io.cairn.spark.ui.page;

import io.cairn.Level;
import io.cairn.core.goodput.Cause;
import io.cairn.core.model.LevelSpec;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The colours of the page, which people without red or green can tell apart (Okabe and Ito). Those
 * of text, paper and lines are variables of its style, since they differ on a dark page.
 */
final class Colors {
  static final String TEXT = "var(--cairn-text)";
  static final String FAINT = "var(--cairn-faint)";
  static final String LINE = "var(--cairn-line)";
  static final String PAPER = "var(--cairn-paper)";
  static final String STRIPE = "var(--cairn-stripe)";
  static final String BAD = "#d55e00";
  static final String WAITING = "var(--cairn-waiting)";
  static final String OWN = "#0072b2";
  static final String LEASED = "#e69f00";
  static final String FREE = "var(--cairn-free)";

  private Colors() {}

  static String of(Level level) {
    return LevelSpec.of(level).color();
  }

  static String of(Cause cause) {
    return switch (cause) {
      case TRAINING -> "#009e73";
      case STALL -> "#e69f00";
      case FLUSH -> "#f0e442";
      case REDONE -> "#d55e00";
      case DETECTION -> "#cc79a7";
      case RESTART -> "#7f6ab0";
      case RESTORE -> "#0072b2";
      case WARM_UP -> "#56b4e9";
      case WAITING -> "#999999";
      case UNKNOWN -> "#dddddd";
    };
  }

  /** Labels with colours. */
  static void legend(Html html, Map<String, String> colors) {
    html.open("p", "class", "cairn-legend");
    colors.forEach(
        (label, color) ->
            html.open("span").leaf("i", "", "style", "background:" + color).text(label).close());
    html.close();
  }

  /** A legend of levels, with further entries. */
  static Map<String, String> levels() {
    Map<String, String> colors = new LinkedHashMap<>();
    for (LevelSpec spec : LevelSpec.ALL) {
      colors.put(spec.level().name(), spec.color());
    }
    return colors;
  }
}
