package io.cairn.lab.study.reproduce;

import java.util.List;

/** Every printed number that was compared, in one table. */
final class ComparisonTable {
  /** The name of its file, without the ending. */
  static final String NAME = "comparisons";

  private ComparisonTable() {}

  static DataTable of(List<Finding> findings) {
    DataTable table =
        new DataTable(
            NAME,
            "Every printed number that was compared",
            "exhibit|exhibit",
            "what|of",
            "printed|printed",
            "ours|ours",
            "deviation|deviation",
            "agreement|agreement",
            "note|note");
    for (Finding finding : findings) {
      for (Comparison each : finding.comparisons()) {
        Note note = each.note();
        table.row(
            Cell.text(finding.id()),
            Cell.text(each.what()),
            Cell.printed(each.printed()),
            Cell.number(each.ours()),
            Cell.deviation(each.deviation()),
            Cell.agreement(each.agreement()),
            Cell.text(note == null ? "" : note.kind() + ": " + note.text()));
      }
    }
    return table;
  }
}
