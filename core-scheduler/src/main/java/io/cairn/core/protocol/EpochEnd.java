package io.cairn.core.protocol;

import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The end of one epoch's training in order. Decides which checkpoint is the group's last, when its
 * outcome at DEVICE is known. Not thread-safe; one per epoch.
 */
final class EpochEnd {
  private final int size;
  private final Set<Integer> ending = new HashSet<>();

  /** The first iteration that any rank ended with: no later one can be sealed. */
  private long target = Long.MAX_VALUE;

  /** Whether ranks ended with different iterations. */
  private boolean uneven;

  private boolean asked;
  private OptionalLong last = OptionalLong.empty();
  private boolean marked;

  EpochEnd(int size) {
    this.size = size;
  }

  /** A rank has computed its last iteration, and captured this one last. */
  void ending(int rank, long iteration) {
    uneven |= target != Long.MAX_VALUE && target != iteration;
    ending.add(rank);
    target = Math.min(target, iteration);
    asked = true;
  }

  /** The last checkpoint of the group, once for all ranks that asked; empty while unknown. */
  Optional<Long> answer(EpochSeals seals) {
    // a rank that ended later need not have captured the target
    boolean known = seals.isSettledAtDevice(target) || (uneven && ending.size() == size);
    if (!asked || !known) {
      return Optional.empty();
    }
    asked = false;
    long newest = seals.newestAtDevice(target);
    last = OptionalLong.of(newest);
    return Optional.of(newest);
  }

  /** Whether {@link #kept} returned the last checkpoint. */
  boolean isKept() {
    return marked;
  }

  /** The last checkpoint if all ranks ended and it is at STORE; returned once. */
  Optional<Long> kept(EpochSeals seals) {
    boolean kept =
        !marked
            && ending.size() == size
            && last.isPresent()
            && seals.newestAtStore() >= 0
            && (seals.newestAtStore() == last.getAsLong() || seals.newestAtStore() == target);
    marked |= kept;
    return kept ? Optional.of(seals.newestAtStore()) : Optional.empty();
  }
}
