package io.cairn.core.sharing;

import io.cairn.CheckpointId;

/**
 * One lease of one borrower, from its request on. Never used twice.
 *
 * @param holder the borrower's process, unique per process start, which can be proven dead
 * @param nonce rises with each lease of this holder for this rank, at least 1
 * @param checkpoint whose chunks these are; any one for a history, which has none
 * @param rank of the checkpoint's group, not negative
 */
public record LeaseId(String holder, long nonce, CheckpointId checkpoint, int rank) {
  /** Checks the ranges. */
  public LeaseId {
    Bounds.name("a holder's id", holder);
    Bounds.range("the nonce of a lease", nonce, 1, Long.MAX_VALUE);
    Bounds.range("a rank", rank, 0, Integer.MAX_VALUE);
  }

  @Override
  public String toString() {
    return checkpoint + " rank " + rank + " from " + holder + " #" + nonce;
  }
}
