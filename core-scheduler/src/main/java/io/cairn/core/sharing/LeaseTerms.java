package io.cairn.core.sharing;

/**
 * The terms of a lender.
 *
 * @param fillNanos the time that a borrower has to fill granted slots, from its first request on
 * @param quarantineQuota slots in quarantine at which nothing more is granted, at least 1
 */
public record LeaseTerms(long fillNanos, int quarantineQuota) {
  /** The time to fill slots that are the borrower's until it releases them, or they are revoked. */
  public static final long NO_EXPIRY = Long.MAX_VALUE / 4;

  /** Checks the ranges. */
  public LeaseTerms {
    Bounds.range("the time to fill a lease, in ns,", fillNanos, 1, NO_EXPIRY);
    Bounds.range("the quota of the quarantine, in slots,", quarantineQuota, 1, Integer.MAX_VALUE);
  }

  /** When slots that are granted now must be filled; {@link Long#MAX_VALUE} is never. */
  long fillUntil(long nowNanos) {
    return fillNanos == NO_EXPIRY ? Long.MAX_VALUE : nowNanos + fillNanos;
  }
}
