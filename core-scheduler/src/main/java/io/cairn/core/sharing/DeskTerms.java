package io.cairn.core.sharing;

/**
 * How long and how much a desk collects.
 *
 * @param windowNanos from the first report until those that have come are planned
 * @param mostWindows that are open at once; a further one takes the place of the oldest
 * @param mostReports that wait at once, in all windows
 */
public record DeskTerms(long windowNanos, int mostWindows, int mostReports) {
  /** Checks the ranges. */
  public DeskTerms {
    Bounds.range("a window, in ns,", windowNanos, 1, Long.MAX_VALUE / 4);
    Bounds.range("the number of windows", mostWindows, 1, 1_000_000);
    Bounds.range("the number of reports", mostReports, 1, 10_000_000);
  }
}
