package io.cairn.core.protocol;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.core.model.Ancestry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Agreement of the ranks of an epoch on the checkpoint that all resume from. Each rank offers the
 * checkpoints that it can read. The newest that all offered is proposed; each rank verifies it and
 * votes; one refusal strikes it out. So a group never resumes from two checkpoints, nor from one
 * that some rank cannot read completely. O(ranks × candidates). Not thread-safe; one per epoch.
 */
final class RestoreAgreement {
  private final int size;
  private final Map<Integer, List<Candidate>> offers = new HashMap<>();
  private final Set<CheckpointId> struck = new HashSet<>();
  private final Map<Integer, Level> approvals = new HashMap<>();
  private final List<String> refusals = new ArrayList<>();
  private Optional<Candidate> proposed = Optional.empty();
  private final boolean anySealed;
  private boolean decided;

  /**
   * No rank has offered anything.
   *
   * @param anySealed false if the group never sealed a checkpoint above DEVICE; it starts afresh
   *     then if the ranks have none in common
   */
  RestoreAgreement(int size, boolean anySealed) {
    this.size = size;
    this.anySealed = anySealed;
  }

  /** Takes an offer; true if it was the last one missing, so that there is a proposal or none. */
  boolean offer(int rank, List<Candidate> candidates) {
    if (offers.size() == size || offers.putIfAbsent(rank, candidates) != null) {
      return false;
    }
    return offers.size() == size && propose();
  }

  /** The ranks without an offer, while others wait for them; empty if no rank waits. */
  SortedSet<Integer> silent() {
    SortedSet<Integer> silent = new TreeSet<>();
    for (int rank = 0; rank < size && !offers.isEmpty(); rank++) {
      if (!offers.containsKey(rank)) {
        silent.add(rank);
      }
    }
    return silent;
  }

  /** Takes a vote; true if it changed the proposal or completed the agreement. */
  boolean vote(int rank, CheckpointId id, Optional<Level> level, String refusal) {
    if (decided || proposed.filter(candidate -> candidate.id().equals(id)).isEmpty()) {
      return false;
    }
    if (!refusal.isEmpty()) {
      struck.add(id);
      refusals.add(id.label() + " refused by rank " + rank + ": " + refusal);
      return propose();
    }
    approvals.put(rank, level.orElse(Level.DEVICE));
    decided = approvals.size() == size;
    return decided;
  }

  private boolean propose() {
    approvals.clear();
    // rank 0's candidate stands for all: ancestry is the same in each part, digests may differ
    proposed =
        offers.getOrDefault(0, List.of()).stream()
            .filter(candidate -> !struck.contains(candidate.id()))
            .filter(candidate -> offers.values().stream().allMatch(o -> offered(o, candidate)))
            .max(Comparator.comparing(Candidate::id));
    decided = proposed.isEmpty();
    if (decided
        && anySealed
        && refusals.isEmpty()
        && offers.values().stream().anyMatch(o -> !o.isEmpty())) {
      // to start afresh would abandon what some rank can still read
      refusals.add("no checkpoint is within reach of every rank; " + offered());
    }
    return true;
  }

  private String offered() {
    return offers.entrySet().stream()
        .map(
            offer ->
                "rank "
                    + offer.getKey()
                    + " offers "
                    + offer.getValue().stream()
                        .map(candidate -> candidate.id().label())
                        .limit(5)
                        .toList())
        .limit(10)
        .collect(Collectors.joining(", "));
  }

  private static boolean offered(List<Candidate> offers, Candidate candidate) {
    return offers.stream().anyMatch(other -> other.id().equals(candidate.id()));
  }

  /** Whether all ranks resume from {@link #proposed()}. */
  boolean decided() {
    return decided;
  }

  /** The checkpoint to verify, or agreed on. Empty once decided: the group starts afresh. */
  Optional<Candidate> proposed() {
    return proposed;
  }

  /** The agreement as it is sent to the ranks of this epoch. */
  CoordinatorMessage.Resume resume(long epoch) {
    return new CoordinatorMessage.Resume(
        epoch,
        proposed.map(Candidate::id),
        proposed.map(Candidate::asParent),
        proposed.map(c -> c.ancestry().continuedFrom(c.id())).orElse(Ancestry.NONE),
        refusals());
  }

  /** The highest level from which a rank reads it; empty if the group starts afresh. */
  Optional<Level> level() {
    return approvals.values().stream().max(Comparator.naturalOrder());
  }

  /** Why newer checkpoints were struck out, for people. */
  private String refusals() {
    return String.join("; ", refusals);
  }
}
