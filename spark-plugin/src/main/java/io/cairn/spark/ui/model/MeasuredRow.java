package io.cairn.spark.ui.model;

/**
 * The remainder of a rank's checkpoint reached its lenders.
 *
 * @param checkpoint its label
 * @param seconds from the question to the desk until every lender holds its part
 */
public record MeasuredRow(
    String group, int rank, String checkpoint, String process, long bytes, double seconds) {
  /** Clips texts. */
  public MeasuredRow {
    group = Rows.text(group);
    checkpoint = Rows.text(checkpoint);
    process = Rows.text(process);
  }
}
