package io.cairn.adjoint.schedule;

/**
 * A bound below the time of every schedule whose transfers run beside the computation.
 *
 * <p>Let E be the moment at which the forward phase ends, and K the number of states that are kept
 * then. Each other state is computed again after E. At most as many kept states as tier 0 has slots
 * lie there at E. Each other one went down through the link of a tier before E, and comes up
 * through it after E. So a time T is possible only if for some K
 *
 * <ul>
 *   <li>the forward phase with K stores, and the backward phase with its fewest forward steps, fit
 *       into T;
 *   <li>the links and tier 0 carry K states: down before the shortest backward phase begins, and up
 *       after the shortest forward phase.
 * </ul>
 *
 * <p>States that ever lie on a lower tier divide the steps into segments. Within a segment states
 * lie on tier 0 alone, so that its reversal takes as many forward steps as binomial checkpointing.
 *
 * <p>A state that is computed once after E and never stored is the last one of a run that begins
 * with a kept state. For each further state that is never stored, a run is read for nothing else,
 * or a forward step is repeated.
 */
final class OverlapBound {
  /** A time is as good as the bound if it is above it by less than 2^-11 of itself. */
  private static final int CLOSE_BITS = 11;

  /** The bound is exact up to 2^-14 of the time. */
  private static final int PRECISION_BITS = 14;

  private final long steps;
  private final OverlapCosts costs;
  private final int slots;
  private final long leastAgain;

  OverlapBound(int steps, OverlapCosts costs) {
    this.steps = steps;
    this.costs = costs;
    slots = costs.slots(steps);
    int all = Math.min(steps, slots + costs.below(steps));
    leastAgain = Binomial.advances(steps, all) - (steps - 1);
  }

  /**
   * The bound. O(steps · tiers).
   *
   * @param reached a time that a schedule reaches
   */
  long time(long reached) {
    long low = 0;
    long high = reached;
    while (high - low > reached >> PRECISION_BITS) {
      long middle = low + (high - low) / 2;
      if (isPossible(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** Whether no schedule is faster by a part that counts. O(steps · tiers). */
  boolean isClose(long time) {
    return !isPossible(time - 1 - (time >> CLOSE_BITS));
  }

  /** Whether nothing speaks against a time. */
  private boolean isPossible(long time) {
    if (steps == 1) {
      return time >= costs.backward();
    }
    for (long kept = steps - 1; kept >= 1; kept--) {
      if (isPossible(time, kept)) {
        return true;
      }
    }
    return false;
  }

  private boolean isPossible(long time, long kept) {
    long ahead = (steps - 1) * costs.forward() + kept * costs.store();
    if (ahead >= time) {
      return false;
    }
    long behind = behind(time - ahead, kept);
    if (ahead + behind > time) {
      return false;
    }
    long carried = slots;
    for (int tier = 1; tier < costs.tiers().size() && carried < kept; tier++) {
      carried += carried(tier, time - behind, time - ahead);
    }
    return carried >= kept;
  }

  /** States that a tier can have taken in the forward phase, and give back after it. */
  private long carried(int tier, long forwardTime, long backwardTime) {
    Tier link = costs.tiers().get(tier);
    long down = transfers(forwardTime - costs.store(), link.writeCost());
    long up = transfers(backwardTime - costs.backward() - costs.restore(), link.readCost());
    return Math.min(costs.room(tier, (int) steps), Math.min(down, up));
  }

  private long transfers(long time, long each) {
    if (time < 0) {
      return 0;
    }
    return each == 0 ? steps : Math.min(steps, time / each);
  }

  /** The shortest backward phase. */
  private long behind(long mostTime, long kept) {
    long lost = steps - 1 - kept;
    long again = Math.max(leastAgain, Math.max(lost, within(mostTime, kept)));
    long stored = lost - Math.min(lost, kept + again - lost);
    long perStored = Math.min(costs.store(), Math.min(costs.forward(), costs.restore()));
    return steps * costs.backward()
        + (steps - 1) * costs.restore()
        + again * costs.forward()
        + stored * perStored;
  }

  /** The fewest forward steps within segments. */
  private long within(long mostTime, long kept) {
    if (steps - 1 <= kept * (slots + 1L)) {
      return 0;
    }
    long segments = kept;
    for (Tier tier : costs.tiers().subList(1, costs.tiers().size())) {
      segments += transfers(mostTime, tier.writeCost());
    }
    segments = Math.min(segments, steps - 1);
    long length = (steps - 1) / segments;
    long longer = (steps - 1) % segments;
    return (segments - longer) * Binomial.advances(length, slots + 1)
        + (longer == 0 ? 0 : longer * Binomial.advances(length + 1, slots + 1));
  }
}
