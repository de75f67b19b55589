package io.cairn.core.protocol;

/**
 * The facts that a rank knows of its group before it joins. The coordinator compares the births, so
 * that all ranks share one store, and takes an epoch above all that they report.
 *
 * @param birth of the group in the rank's STORE; see {@code GroupBirth}
 * @param epoch the greatest of which the rank's process or machine has a trace; 0 if none
 * @param node where the rank's copies at NODE will be; empty if no other process can read them
 */
public record Origin(String birth, long epoch, String node) {
  /** Of a rank whose node nobody else reads. */
  public Origin(String birth, long epoch) {
    this(birth, epoch, "");
  }

  /** The same birth and node, with at least this epoch. */
  public Origin atLeast(long other) {
    return other <= epoch ? this : new Origin(birth, other, node);
  }

  /** The same, of a rank at this node. */
  public Origin at(String where) {
    return new Origin(birth, epoch, where);
  }
}
