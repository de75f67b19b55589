package io.cairn.core.cadence;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The vote on one planned change, at the coordinator. The change is adopted if every rank received
 * it before it reached the first iteration of the plan. One late rank rejects it. The ballot is
 * decided once; later or repeated votes change nothing. {@link FollowedCadence} is the side of the
 * ranks. Not thread-safe.
 */
public final class CadenceBallot {
  private final CadencePlan plan;
  private final Set<Integer> open;
  private boolean decided;

  /** A ballot among these ranks. */
  public CadenceBallot(CadencePlan plan, Set<Integer> ranks) {
    this.plan = plan;
    this.open = new HashSet<>(ranks);
  }

  /** The plan to vote on. */
  public CadencePlan plan() {
    return plan;
  }

  /**
   * Takes a rank's vote.
   *
   * @return whether the plan is adopted, if this vote decided it
   */
  public Optional<Boolean> answered(int rank, long version, boolean inTime) {
    if (decided || version != plan.version() || !open.remove(rank)) {
      return Optional.empty();
    }
    decided = !inTime || open.isEmpty();
    return decided ? Optional.of(inTime) : Optional.empty();
  }
}
