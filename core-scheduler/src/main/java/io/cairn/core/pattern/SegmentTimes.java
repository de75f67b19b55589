package io.cairn.core.pattern;

/**
 * The expected times of one segment, one for each state: a set of levels whose newest checkpoint
 * counts at its begin. The states depend on each other, since after a failure the segment may be
 * reached in another state. Allocates nothing after construction; not thread-safe.
 */
final class SegmentTimes {
  /*
   * The linear system is solved by sweeps from large sets to small ones. Each step divides out the
   * returns to its own state; the other returns are less frequent, so each sweep reduces the error.
   */

  /** A smaller relative change in a sweep is rounding. */
  private static final double SNAP = 1e-14;

  /** The most sweeps; more are needed only where hardly any attempt survives the segment. */
  private static final int MOST_SWEEPS = 1_000;

  private final int levels;
  private final Rollback rollback;
  private final double[] expected;

  /** By state: the expected time up to the end of the segment, or to its repetition. */
  private final double[] once;

  /** By state and stage: the chance of a failure in it, and the levels that count then. */
  private final double[][] chances;

  private final int[][] bits;
  private final int[] stages;

  /** For each level: the lower ones that have no newer checkpoint than it. */
  private final int[] together;

  /** For each level: the highest level of its newest checkpoint. */
  private final int[] topOf;

  SegmentTimes(int levels, Rollback rollback, int[] together, int[] topOf) {
    this.levels = levels;
    this.rollback = rollback;
    this.together = together;
    this.topOf = topOf;
    expected = new double[1 << levels];
    once = new double[1 << levels];
    chances = new double[1 << levels][levels + 1];
    bits = new int[1 << levels][levels + 1];
    stages = new int[1 << levels];
  }

  /** The expected time of the segment that was solved last, for one state. */
  double expected(int state) {
    return expected[state];
  }

  /** Begins to describe a state of the current segment. */
  void begin(int state) {
    once[state] = 0;
    stages[state] = 0;
  }

  /**
   * Adds a stage.
   *
   * @param counting the levels that count if a failure strikes in it
   * @param chance of such a failure, from the begin of the segment
   * @param lostSeconds of recovery and repeated work, up to the begin of the segment
   */
  void stage(int state, int counting, double chance, double lostSeconds) {
    int stage = stages[state]++;
    bits[state][stage] = counting;
    chances[state][stage] = chance;
    once[state] += chance * lostSeconds;
  }

  /**
   * Solves for all states that were described.
   *
   * @param over the levels that count in every state
   */
  void solve(int over) {
    int free = ((1 << levels) - 1) & ~over;
    for (int extra = free; ; extra = (extra - 1) & free) {
      expected[over | extra] = once[over | extra];
      if (extra == 0) {
        break;
      }
    }
    boolean moved = true;
    for (int sweep = 0; moved && sweep < MOST_SWEEPS; sweep++) {
      moved = false;
      for (int extra = free; ; extra = (extra - 1) & free) {
        double before = expected[over | extra];
        double now = improved(over, over | extra);
        expected[over | extra] = now;
        moved |= Math.abs(now - before) > SNAP * now;
        if (extra == 0) {
          break;
        }
      }
    }
  }

  private double improved(int over, int state) {
    double seconds = once[state];
    double elsewhere = 1;
    double back = 0;
    for (int stage = 0; stage < stages[state]; stage++) {
      double chance = chances[state][stage];
      elsewhere -= chance;
      for (int level = 0; level < levels; level++) {
        double share = chance * rollback.weight(level);
        int returned = returned(over, bits[state][stage], level);
        if (returned == state) {
          back += share;
        } else {
          seconds += share * expected[returned];
          elsewhere += share;
        }
      }
    }
    return seconds / (back > 0.5 ? elsewhere : 1 - back);
  }

  /** The levels that count when the segment is reached again after a failure. */
  private int returned(int over, int counting, int level) {
    return (counting >> level & 1) != 0
        ? over | together[level] | 1 << level | above(counting, level)
        : over | above(above(counting, level), topOf[level]);
  }

  /** The bits of the levels above one. */
  static int above(int bits, int level) {
    return bits & (-1 << (level + 1));
  }
}
