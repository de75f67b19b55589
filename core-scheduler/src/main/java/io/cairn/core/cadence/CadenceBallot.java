package io.cairn.core.cadence;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A coordinator's side of one planned change: it is adopted if every rank learned of it before it
 * had reached where it begins, and withdrawn as soon as one had not. Decided once; what comes later
 * or again changes nothing. {@link FollowedCadence} is the ranks' side. Not thread-safe.
 */
public final class CadenceBallot {
  private final CadencePlan plan;
  private final Set<Integer> open;
  private boolean decided;

  /** Asks these ranks. */
  public CadenceBallot(CadencePlan plan, Set<Integer> ranks) {
    this.plan = plan;
    this.open = new HashSet<>(ranks);
  }

  /** What is asked. */
  public CadencePlan plan() {
    return plan;
  }

  /**
   * Takes a rank's answer.
   *
   * @return whether the plan is adopted, if this answer decided that
   */
  public Optional<Boolean> answered(int rank, long version, boolean inTime) {
    if (decided || version != plan.version() || !open.remove(rank)) {
      return Optional.empty();
    }
    decided = !inTime || open.isEmpty();
    return decided ? Optional.of(inTime) : Optional.empty();
  }
}
