package io.cairn.core.cadence;

import java.util.Comparator;

/**
 * How good a plan is: of two plans, the better one is less. Immutable.
 *
 * @param kept the bounds that it keeps
 * @param amount the predicted waste, below 1; of a plan that is not possible, how much is missing
 */
record PlanRating(Kept kept, double amount) implements Comparable<PlanRating> {
  private static final Comparator<PlanRating> ORDER =
      Comparator.comparing(PlanRating::kept).thenComparingDouble(PlanRating::amount);

  /** The bounds that a plan keeps, the best first. */
  enum Kept {
    /** Every bound that the level drains in. */
    ALL,
    /** A level exceeds such a bound: shorter multiples of the period below do not drain. */
    DRAINED,
    /** The plan is not possible. */
    NONE
  }

  @Override
  public int compareTo(PlanRating other) {
    return ORDER.compare(this, other);
  }

  boolean possible() {
    return kept != Kept.NONE;
  }

  /** The predicted waste; 1 if the plan is not possible. */
  double waste() {
    return possible() ? amount : 1;
  }
}
