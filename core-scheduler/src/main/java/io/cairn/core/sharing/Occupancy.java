package io.cairn.core.sharing;

/**
 * The slots that a cache has lent to its book, by what they are used for. Their sum is what is
 * lent.
 *
 * @param open granted to nobody
 * @param leased granted, and not yet held: being written or verified
 * @param held verified and acknowledged
 * @param quarantined without a promise, while their sender may still write to them
 * @param draining over, while somebody still reads them
 */
public record Occupancy(int open, int leased, int held, int quarantined, int draining) {
  /** All lent slots. */
  public int lent() {
    return open + leased + held + quarantined + draining;
  }
}
