package io.cairn.spark.ui.model;

/**
 * The slots of a process's device cache.
 *
 * @param own with chunks of the process's own ranks
 * @param leased to other processes
 * @param free of both
 * @param quarantined without a promise, while a borrower may still write to them
 * @param slotBytes of one slot
 */
public record CacheRow(int own, int leased, int free, int quarantined, long slotBytes) {
  /** No negative numbers. */
  public CacheRow {
    own = Math.max(0, own);
    leased = Math.max(0, leased);
    free = Math.max(0, free);
    quarantined = Math.max(0, quarantined);
  }

  /** All slots. */
  public long slots() {
    return (long) own + leased + free + quarantined;
  }
}
