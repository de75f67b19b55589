package io.cairn.core.sharing;

/**
 * The lent slots of a cache, by their use.
 *
 * @param filling granted and not yet held: the borrower writes, or the lender verifies
 * @param held verified and acknowledged
 * @param quarantined without a promise, while the borrower may still write to them
 * @param draining over, while a reader still reads them
 */
public record Occupancy(int filling, int held, int quarantined, int draining) {
  /** All lent slots. */
  public int lent() {
    return filling + held + quarantined + draining;
  }
}
