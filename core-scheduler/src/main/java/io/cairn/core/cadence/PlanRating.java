package io.cairn.core.cadence;

import java.util.Comparator;

/**
 * How good a plan is: of two plans, the better one is less. Immutable.
 *
 * @param kept the bounds that it keeps
 * @param excess by how much it exceeds the others, or fails to be possible; a sum of logarithms
 * @param waste the predicted one; 1 if the plan is not possible
 */
record PlanRating(Kept kept, double excess, double waste) implements Comparable<PlanRating> {
  private static final Comparator<PlanRating> ORDER =
      Comparator.comparing(PlanRating::kept)
          .thenComparingDouble(PlanRating::excess)
          .thenComparingDouble(PlanRating::waste);

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
}
