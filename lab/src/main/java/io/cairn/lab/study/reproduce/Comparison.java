package io.cairn.lab.study.reproduce;

import io.cairn.lab.measure.FigureTable;
import org.jspecify.annotations.Nullable;

/**
 * A printed number and ours.
 *
 * @param what the number is of
 * @param printed as the paper puts it
 * @param printedValue its value
 * @param ours computed here
 * @param agreement of the two
 * @param note why they differ, where that is known
 */
record Comparison(
    String what,
    String printed,
    double printedValue,
    double ours,
    Agreement agreement,
    @Nullable Note note) {

  /** The difference as a part of the printed number. */
  double deviation() {
    return ours / printedValue - 1;
  }

  /** Adds it as a row. */
  void addTo(FigureTable table, String exhibit) {
    table
        .row()
        .add("exhibit", exhibit)
        .add("of", what)
        .add("printed", printed)
        .add("ours", ours)
        .add("deviation %", 100 * deviation())
        .add("agreement", agreement.toString())
        .add("why", note == null ? "" : note.kind() + ": " + note.text());
  }

  /** Whether the numbers are not the same because the paper has a misprint. */
  boolean misprinted() {
    boolean off = agreement == Agreement.DIFFERS || agreement == Agreement.LAST_DIGIT;
    return off && note != null && note.kind() == Note.Kind.MISPRINT;
  }
}
