package io.cairn.core.sharing;

/**
 * How long and how much a desk collects.
 *
 * @param windowNanos from the first report of groups of one until those that have come are planned
 * @param groupNanos how long the ranks of a group of several wait for each other, at least as long
 * @param mostWindows that are open at once; a further one takes the place of the oldest
 * @param mostReports that wait at once, in all windows
 */
public record DeskTerms(long windowNanos, long groupNanos, int mostWindows, int mostReports) {
  /** Checks the ranges. */
  public DeskTerms {
    Bounds.range("a window, in ns,", windowNanos, 1, Long.MAX_VALUE / 4);
    Bounds.range("a group's window, in ns,", groupNanos, windowNanos, Long.MAX_VALUE / 4);
    Bounds.range("the number of windows", mostWindows, 1, 1_000_000);
    Bounds.range("the number of reports", mostReports, 1, 10_000_000);
  }

  /** The same window for all groups. */
  public DeskTerms(long windowNanos, int mostWindows, int mostReports) {
    this(windowNanos, windowNanos, mostWindows, mostReports);
  }
}
