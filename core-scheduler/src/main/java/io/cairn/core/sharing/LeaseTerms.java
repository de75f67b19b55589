package io.cairn.core.sharing;

/**
 * The terms of a lender.
 *
 * @param fillNanos the time that a borrower has to fill granted slots, from its first request on
 * @param quarantineQuota slots in quarantine at which nothing more is granted, at least 1
 */
public record LeaseTerms(long fillNanos, int quarantineQuota) {
  /** Checks the ranges. */
  public LeaseTerms {
    Bounds.range("the time to fill a lease, in ns,", fillNanos, 1, Long.MAX_VALUE / 4);
    Bounds.range("the quota of the quarantine, in slots,", quarantineQuota, 1, Integer.MAX_VALUE);
  }
}
