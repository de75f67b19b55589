package io.cairn.adjoint.schedule;

/**
 * How many states go below tier 0, how many stay there, and how many of its slots stay spare.
 *
 * @param below states for all lower tiers together
 */
record OverlapSpread(int below, int staying, int spare) {
  /** The shares of the tiers, states on tier 0 first. */
  int[] counts(OverlapCosts costs, int reach) {
    int[] counts = new int[costs.tiers().size()];
    counts[0] = staying;
    int left = below;
    double rates = 0;
    boolean[] full = new boolean[counts.length];
    for (int tier = 1; tier < counts.length; tier++) {
      rates += rate(costs, tier);
    }
    // A tier that is full leaves its share to the others.
    for (int tier = 1; tier < counts.length; tier++) {
      int room = costs.room(tier, reach);
      if (!full[tier] && left * rate(costs, tier) >= room * rates) {
        full[tier] = true;
        counts[tier] = Math.min(room, left);
        left -= counts[tier];
        rates -= rate(costs, tier);
        tier = 0;
      }
    }
    divide(costs, left, full, rates, counts);
    return counts;
  }

  private static void divide(
      OverlapCosts costs, int left, boolean[] full, double rates, int[] counts) {
    int rest = left;
    double open = rates;
    for (int tier = 1; tier < counts.length; tier++) {
      if (!full[tier]) {
        counts[tier] = (int) Math.min(rest, Math.ceil(rest * rate(costs, tier) / open));
        rest -= counts[tier];
        open -= rate(costs, tier);
      }
    }
  }

  /** States per time, down in the forward phase or up in the backward phase. */
  private static double rate(OverlapCosts costs, int tier) {
    double step = Math.max(1, costs.forward() + costs.store());
    double reversal = Math.max(1, costs.backward() + costs.restore());
    Tier link = costs.tiers().get(tier);
    return 1 / Math.max(1e-6, Math.max(link.writeCost() / step, link.readCost() / reversal));
  }

  /** About the time of the layout. */
  long estimate(OverlapCosts costs, int reach) {
    int slots = costs.slots(reach);
    int dense = OverlapLayout.dense(staying, slots, spare);
    int even = below + staying - dense;
    int length = (reach - dense) / even;
    int longer = (reach - dense) % even;
    long behind =
        costs.backward()
            + dense * costs.aboutSegment(1, spare)
            + (even - longer) * costs.aboutSegment(length, spare)
            + (longer == 0 ? 0 : longer * costs.aboutSegment(length + 1, spare));
    long ahead = reach * costs.forward() + (even + dense) * costs.store();
    int[] counts = counts(costs, reach);
    for (int tier = 1; tier < counts.length; tier++) {
      ahead = Math.max(ahead, counts[tier] * costs.tiers().get(tier).writeCost());
      behind = Math.max(behind, counts[tier] * costs.tiers().get(tier).readCost());
    }
    return ahead + behind;
  }

  OverlapLayout layout(OverlapCosts costs, int reach) {
    return OverlapLayout.spread(reach, counts(costs, reach), costs.slots(reach), spare);
  }
}
