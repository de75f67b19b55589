package io.cairn.core.cadence;

/**
 * Searches the periods of the best rating, in whole iterations. A step changes one number, or
 * raises one and lowers another; steps shrink from half of the number to 1. Deterministic; bounded
 * in evaluations.
 */
final class PlanSearch {
  private static final double[] PARTS = {0.5, 0.2, 0.07, 0};
  private static final int MOST_EVALUATIONS = 1_000;
  private static final long MOST_ITERATIONS = 1L << 40;

  private final PlanModel model;

  /** The numbers before this one are not changed. */
  private final int free;

  private long[] best;
  private PlanRating rating;
  private int evaluations;

  private PlanSearch(PlanModel model, long lowest) {
    this.model = model;
    this.free = lowest > 0 ? 1 : 0;
    this.best = model.firstOrder(lowest);
    this.rating = model.rating(best);
  }

  /** The best shape, for {@link PlanModel#rating}. */
  long[] shape() {
    return best.clone();
  }

  /** Its rating. If that is not possible, the search found no plan. */
  PlanRating rating() {
    return rating;
  }

  /**
   * Runs the search.
   *
   * @param lowest the period of the lowest level; 0 to search it, too
   */
  static PlanSearch of(PlanModel model, long lowest) {
    PlanSearch search = new PlanSearch(model, lowest);
    for (double part : PARTS) {
      search.descend(part);
    }
    return search;
  }

  private void descend(double part) {
    boolean moved = true;
    while (moved && evaluations < MOST_EVALUATIONS) {
      moved = false;
      for (int one = free; one < best.length; one++) {
        moved |= improves(moved(one, part, one)) || improves(moved(-1, part, one));
        for (int other = free; other < best.length; other++) {
          moved |= other != one && improves(moved(one, part, other));
        }
      }
    }
  }

  /** Raises one number, unless it is -1, and lowers the other, unless it is the same. */
  private long[] moved(int longer, double part, int shorter) {
    long[] next = best.clone();
    if (longer >= 0) {
      next[longer] = Math.max(next[longer] + 1, Math.round(next[longer] * (1 + part)));
    }
    if (longer != shorter) {
      next[shorter] = Math.min(next[shorter] - 1, Math.round(next[shorter] / (1 + part)));
    }
    return next;
  }

  private boolean improves(long[] next) {
    for (long number : next) {
      if (number < 1 || number > MOST_ITERATIONS) {
        return false;
      }
    }
    evaluations++;
    PlanRating candidate = model.rating(next);
    if (candidate.compareTo(rating) < 0) {
      best = next;
      rating = candidate;
      return true;
    }
    return false;
  }
}
