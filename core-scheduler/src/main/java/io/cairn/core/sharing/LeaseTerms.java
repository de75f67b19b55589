package io.cairn.core.sharing;

/**
 * How a receiver lends.
 *
 * @param fillNanos how long a sender has to fill what it was granted; it counts from when it first
 *     sent the claim
 * @param quarantineQuota slots in quarantine at which nothing more is granted, at least 1
 */
public record LeaseTerms(long fillNanos, int quarantineQuota) {
  /** Checks the ranges. */
  public LeaseTerms {
    Bounds.range("the time to fill a lease, in ns,", fillNanos, 1, Long.MAX_VALUE / 4);
    Bounds.range("the quota of the quarantine, in slots,", quarantineQuota, 1, Integer.MAX_VALUE);
  }
}
