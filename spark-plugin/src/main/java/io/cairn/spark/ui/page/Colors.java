package io.cairn.spark.ui.page;

import io.cairn.core.goodput.Cause;
import io.cairn.core.model.Level;
import java.util.LinkedHashMap;
import java.util.Map;

/** The colours of the page, which people without red or green can tell apart (Okabe and Ito). */
final class Colors {
  static final String TEXT = "#333333";
  static final String FAINT = "#8a8a8a";
  static final String LINE = "#d8d8d8";
  static final String BAD = "#d55e00";
  static final String WAITING = "#c4c4c4";
  static final String OWN = "#0072b2";
  static final String LEASED = "#e69f00";
  static final String FREE = "#e6e6e6";

  private Colors() {}

  static String of(Level level) {
    return switch (level) {
      case DEVICE -> "#7cc4ef";
      case NODE -> "#009e73";
      case PEER -> "#cc79a7";
      case STORE -> "#0b4f8a";
    };
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
    for (Level level : Level.values()) {
      colors.put(level.name(), of(level));
    }
    return colors;
  }
}
