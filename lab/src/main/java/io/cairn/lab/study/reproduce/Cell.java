package io.cairn.lab.study.reproduce;

import io.cairn.cli.Units;
import java.math.BigDecimal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A cell of a {@link DataTable}.
 *
 * @param csv for programs: numbers with all their digits, parts as parts of 1
 * @param shown for people: four digits or so
 * @param numeric whether it is set to the right
 */
record Cell(String csv, String shown, boolean numeric) {
  static Cell text(String text) {
    return new Cell(text, text, false);
  }

  static Cell count(long number) {
    return new Cell(Long.toString(number), Long.toString(number), true);
  }

  /** A number without a unit of its own; blank if there is none. */
  static Cell number(double value) {
    if (!Double.isFinite(value)) {
      return new Cell("", "–", true);
    }
    return new Cell(Double.toString(value), shown(value), true);
  }

  /** A part of 1, shown in percent. */
  static Cell part(double value) {
    if (!Double.isFinite(value)) {
      return new Cell("", "–", true);
    }
    return new Cell(Double.toString(value), Units.percent(value), true);
  }

  /** A deviation, shown in percent with its sign. */
  static Cell deviation(double value) {
    String shown = String.format(Locale.ROOT, "%+.2f %%", 100 * value).replace('-', '−');
    return new Cell(Double.toString(value), shown, true);
  }

  /** A number as printed; blank if nothing is. */
  static Cell printed(@Nullable String text) {
    return new Cell(text == null ? "" : text, text == null ? "" : text, true);
  }

  /** A part as printed, shown in percent with the same digits. */
  static Cell printedPart(@Nullable String text) {
    if (text == null) {
      return printed(null);
    }
    String percent = new BigDecimal(text).movePointRight(2).toPlainString();
    return new Cell(text, percent + " %", true);
  }

  /** A percentage as printed. */
  static Cell printedPercent(String text) {
    return new Cell(text, text + " %", true);
  }

  static Cell agreement(Agreement agreement) {
    return text(agreement.toString());
  }

  private static String shown(double value) {
    double magnitude = Math.abs(value);
    if (value == Math.rint(value) && magnitude < 1e6) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    return magnitude >= 1000 && magnitude < 1e7
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, "%.4g", value);
  }
}
