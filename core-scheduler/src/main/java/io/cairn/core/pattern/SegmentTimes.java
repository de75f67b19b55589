package io.cairn.core.pattern;

/**
 * The expected times of one segment, one for each set of levels whose newest checkpoint counts at
 * its begin. They depend on each other: a failure in one state may come back to the segment in
 * another, with more levels counting or with fewer. Solves the linear system by sweeps from large
 * sets to small ones, each of which divides out the ways back to its own state; the expected number
 * of other ways back shrinks the error with every sweep. Scratch memory, no allocation after
 * construction; not thread-safe.
 */
final class SegmentTimes {
  /** Where a change in a sweep is rounding, relative. */
  private static final double SNAP = 1e-14;

  /**
   * Where this does not do, nearly no attempt survives the segment, and nobody wants the digits.
   */
  private static final int MOST_SWEEPS = 1_000;

  private final int levels;
  private final Rollback rollback;
  private final double[] expected;

  /** For each state: the expected time up to the segment's end or its own begin. */
  private final double[] once;

  /** For each state and stage: the chance of a failure in it, and what counts then. */
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

  /** Of the segment that was solved last, for one set of bits. */
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
   * @param counting what counts if a failure strikes in it
   * @param chance that it does, from the segment's begin
   * @param lostSeconds what passes, and is run again, up to the segment's begin
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

  /** What counts when the segment is reached again after a failure. */
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
