package io.cairn.core.sharing;

import io.cairn.core.model.CheckpointId;

/**
 * One claim of one sender, and the lease that it was granted. Never used twice.
 *
 * @param holder the process that sends, unique per process start; it is what can be proven dead
 * @param nonce rises with each claim of this holder for this rank, at least 1
 * @param checkpoint whose chunks these are
 * @param rank of the checkpoint's group, not negative
 */
public record LeaseId(String holder, long nonce, CheckpointId checkpoint, int rank) {
  /** Checks the ranges. */
  public LeaseId {
    Bounds.name("a holder's id", holder);
    Bounds.range("the nonce of a claim", nonce, 1, Long.MAX_VALUE);
    Bounds.range("a rank", rank, 0, Integer.MAX_VALUE);
  }

  @Override
  public String toString() {
    return checkpoint + " rank " + rank + " from " + holder + " #" + nonce;
  }
}
