package io.cairn.core.protocol;

/**
 * The facts that a rank knows of its group before it joins. The coordinator compares the births, so
 * that all ranks share one store, and takes an epoch above all that they report.
 *
 * @param birth of the group in the rank's STORE; see {@code GroupBirth}
 * @param epoch the greatest of which the rank's process or machine has a trace; 0 if none
 */
public record Origin(String birth, long epoch) {
  /** The same birth, with at least this epoch. */
  public Origin atLeast(long other) {
    return other <= epoch ? this : new Origin(birth, other);
  }
}
