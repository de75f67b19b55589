package io.cairn.core.protocol;

import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The end of one epoch's training. It ended in order if every rank says so, of one iteration;
 * otherwise ranks stopped, and the training may be resumed. Decides which checkpoint is the group's
 * last, when its outcome at DEVICE is known. Not thread-safe; one per epoch.
 */
final class EpochEnd {
  private final int size;
  private final Set<Integer> ending = new HashSet<>();

  /** Those of them that end with what they restored. */
  private final Set<Integer> restored = new HashSet<>();

  /** The first iteration that any rank ended with: no later one can be sealed. */
  private long target = Long.MAX_VALUE;

  /** Whether ranks ended with different iterations, or some with what they restored. */
  private boolean uneven;

  /** Whether a rank stopped before its training ended. */
  private boolean stopped;

  /** Ranks that were not answered yet. */
  private final Set<Integer> asking = new HashSet<>();

  private OptionalLong last = OptionalLong.empty();
  private boolean kept;

  EpochEnd(int size) {
    this.size = size;
  }

  /**
   * A rank computes no further iteration.
   *
   * @param iteration that it captured last, or restored
   */
  void ending(int rank, long iteration, MemberMessage.End end) {
    stopped |= end == MemberMessage.End.STOPPED;
    uneven |= target != Long.MAX_VALUE && target != iteration;
    ending.add(rank);
    if (end == MemberMessage.End.RESTORED) {
      restored.add(rank);
    }
    uneven |= !restored.isEmpty() && restored.size() < ending.size();
    target = Math.min(target, iteration);
    asking.add(rank);
  }

  /** The last checkpoint of the group, for the ranks that asked for it. */
  record Answer(long iteration, Set<Integer> ranks) {}

  /** Answers once all ranks that asked; empty while nothing is known. */
  Optional<Answer> answer(EpochSeals seals) {
    // a rank that ended later need not have captured the target
    boolean known =
        seals.isSettledAtDevice(target) || areAllRestored() || (uneven && ending.size() == size);
    if (asking.isEmpty() || !known) {
      return Optional.empty();
    }
    Answer answer = new Answer(seals.newestAtDevice(target), Set.copyOf(asking));
    asking.clear();
    last = OptionalLong.of(answer.iteration());
    return Optional.of(answer);
  }

  /** A rank ends with what it restored only if STORE has that. */
  private boolean areAllRestored() {
    return restored.size() == size;
  }

  /** Whether nothing more is to be done: all ranks ended or stopped, and STORE has the last. */
  boolean isOver() {
    return kept;
  }

  /**
   * Notes what STORE has now.
   *
   * @return the last checkpoint, once: if the training ended in order with it, and STORE has it
   */
  Optional<Long> kept(EpochSeals seals) {
    long atStore = areAllRestored() ? target : seals.newestAtStore();
    if (kept || ending.size() < size || last.isEmpty() || atStore < 0) {
      return Optional.empty();
    }
    boolean inOrder = !stopped && !uneven;
    kept = atStore == target || (!inOrder && atStore == last.getAsLong());
    return kept && inOrder ? Optional.of(target) : Optional.empty();
  }
}
