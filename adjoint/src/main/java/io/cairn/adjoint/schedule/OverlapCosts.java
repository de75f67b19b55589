package io.cairn.adjoint.schedule;

import java.util.List;

/**
 * The prices of a program over tiers that work beside it. Those of tier 0 are copies between WORK
 * and tier 0, for which the program waits. Those of each other tier are transfers between tier 0
 * and that tier.
 *
 * @param tiers the one nearest to the program first
 * @param forward of one step
 * @param backward of the reversal of one step
 */
record OverlapCosts(List<Tier> tiers, long forward, long backward) {
  long store() {
    return tiers.get(0).writeCost();
  }

  long restore() {
    return tiers.get(0).readCost();
  }

  /** Slots of tier 0 that a program of so many steps can use. */
  int slots(int steps) {
    return room(0, steps);
  }

  /** Slots of a tier that a program of so many steps can use. */
  int room(int tier, int steps) {
    return tiers.get(tier).isUnlimited() ? steps : Math.min(steps, tiers.get(tier).slots());
  }

  /** Slots of all tiers below tier 0 that a program of so many steps can use. */
  int below(int steps) {
    long all = 0;
    for (int tier = 1; tier < tiers.size(); tier++) {
      all += room(tier, steps);
    }
    return (int) Math.min(steps, all);
  }

  /**
   * The time to reverse a segment whose first state lies on tier 0. O(steps · repetition).
   *
   * @param spare slots beside that of the first state
   */
  long segment(int length, int spare) {
    Cost cost = Cost.of(new BinomialWalk(length, spare + 1), 1);
    // The first state is read instead of written.
    return forward * cost.advances()
        + store() * Math.max(0, cost.writes().get(0) - 1)
        + restore() * (cost.reads().get(0) + 1)
        + backward * length;
  }

  /** Like the other, but as if each state were stored once. O(repetition). */
  long aboutSegment(int length, int spare) {
    return forward * Binomial.advances(length, spare + 1)
        + (spare > 0 ? store() * Math.max(0, length - 2) : 0)
        + (restore() + backward) * length;
  }
}
