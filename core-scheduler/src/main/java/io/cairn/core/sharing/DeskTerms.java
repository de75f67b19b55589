package io.cairn.core.sharing;

/**
 * The terms of a desk.
 *
 * @param windowNanos the time that reports of groups of one are collected for one plan
 * @param groupNanos how long ranks of a coupled group wait for each other at least, not less than
 *     that; see {@link Patience}
 * @param mostWindows open at once; a further one replaces the oldest
 * @param mostReports open at once, in all windows
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
