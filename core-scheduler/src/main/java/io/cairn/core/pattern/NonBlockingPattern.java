package io.cairn.core.pattern;

import static io.cairn.core.pattern.SegmentTimes.above;

import java.util.Arrays;
import java.util.List;

/**
 * The expected time of a pattern of k levels whose checkpoints are flushed while the application
 * computes on: the two-level model of Sato et al. (SC 2012), extended to levels with a stop, a
 * flush and a slow-down of their own, and to flushes that end within a segment. {@code
 * docs/MODELS.md} derives it. For two levels, flushes of whole segments and recoveries that are
 * tried again it equals {@link TwoLevelClosedForm}.
 *
 * <p>Problem: as {@link ExactTime}, and a failure of level ℓ rolls back to the newest checkpoint
 * whose flush to a level ≥ ℓ has ended. Failures strike at all times. Complexity: O(N·2^f·k²) for N
 * segments and f flushes that run at once, without allocation. Not thread-safe: one per thread.
 *
 * <p>How. The state at a segment's begin is its position and, per level, one bit: whether the
 * newest checkpoint of that level counts. A walk over the pattern computes, for each set of bits
 * that contains those of the schedule without failures, the expected time until the segment is
 * done, from the expected times of what a failure makes run again, which lies behind, and from what
 * counts when the segment is reached again. Of the two walks the first only tells the second what
 * the pattern before looks like.
 */
public final class NonBlockingPattern {
  private final int levels;
  private final Rollback rollback;
  private final FlushSchedule schedule;

  /** For each set of bits: the expected time of the current segment. */
  private final SegmentTimes times;

  /** For each level and set of higher bits: from its newest checkpoint, which counts, to here. */
  private final double[][] redo;

  /** From its newest checkpoint, as first run, to here. */
  private final double[][] since;

  /** From its last but one checkpoint, which counts, to its newest. */
  private final double[][] before;

  /** For each level: the lower ones that have no newer checkpoint than it. */
  private final int[] together;

  /** For each level: the highest level of its newest checkpoint. */
  private final int[] topOf;

  private boolean keepsUp;

  /**
   * An evaluator for patterns that use all of these levels.
   *
   * @param selected the cheapest first; 1 to {@value LevelStack#MAX_LEVELS}
   */
  public NonBlockingPattern(List<NonBlockingLevel> selected) {
    levels = selected.size();
    if (levels < 1 || levels > LevelStack.MAX_LEVELS) {
      throw new IllegalArgumentException(
          "a system has 1 to " + LevelStack.MAX_LEVELS + " levels, not " + levels);
    }
    rollback =
        new Rollback(
            selected.stream().mapToDouble(NonBlockingLevel::failuresPerSecond).toArray(),
            selected.stream().mapToDouble(NonBlockingLevel::recoverySeconds).toArray(),
            true);
    schedule = new FlushSchedule(selected);
    redo = new double[levels][1 << levels];
    since = new double[levels][1 << levels];
    before = new double[levels][1 << levels];
    together = new int[levels];
    topOf = new int[levels];
    times = new SegmentTimes(levels, rollback, together, topOf);
  }

  /**
   * The waste of a pattern: the part of its expected time that is not work; 1 if flushes do not
   * keep up with it.
   *
   * @throws IllegalArgumentException if the counts do not fit the levels
   */
  public double waste(List<Integer> counts, double lengthSeconds) {
    Check.segments(counts, levels);
    Check.positive(lengthSeconds, "lengthSeconds of a pattern");
    int[] array = counts.stream().mapToInt(Integer::intValue).toArray();
    return 1 - lengthSeconds / expectedSeconds(array, lengthSeconds);
  }

  /**
   * The expected time of a pattern, in the steady state. The hot path: it checks nothing and
   * allocates nothing.
   *
   * @param counts one per level but the highest, each at least 1
   * @param lengthSeconds the work of the pattern, above 0
   * @return infinity if a level's flush is not over when its next one begins, or where the time has
   *     no double
   */
  public double expectedSeconds(int[] counts, double lengthSeconds) {
    int segments = 1;
    for (int index = 0; index + 1 < levels; index++) {
      segments *= counts[index];
    }
    for (int level = 0; level < levels; level++) {
      Arrays.fill(redo[level], 0);
      Arrays.fill(since[level], 0);
      Arrays.fill(before[level], 0);
    }
    keepsUp = true;
    turn(levels - 1);
    schedule.begin(lengthSeconds / segments);
    double seconds = walk(counts, segments);
    if (keepsUp) {
      seconds = walk(counts, segments);
    }
    return keepsUp && !Double.isNaN(seconds) ? seconds : Double.POSITIVE_INFINITY;
  }

  private double walk(int[] counts, int segments) {
    double seconds = 0;
    for (int segment = 1; segment <= segments && keepsUp; segment++) {
      int top = top(counts, segment);
      int over = schedule.over();
      expect(over, top);
      seconds += times.expected(over);
      accumulate(over);
      keepsUp = schedule.advance(top);
      turn(top);
    }
    return seconds;
  }

  /** The highest level of the checkpoint after a segment, both counted as arrays are. */
  private int top(int[] counts, int segment) {
    int level = 0;
    int period = 1;
    while (level + 1 < levels && segment % (period * counts[level]) == 0) {
      period *= counts[level];
      level++;
    }
    return level;
  }

  /** Finds the expected time of the current segment, for all sets of bits that it may have. */
  private void expect(int over, int top) {
    int free = ((1 << levels) - 1) & ~over;
    for (int extra = free; ; extra = (extra - 1) & free) {
      segment(over | extra, schedule.stages(over | extra, top));
      if (extra == 0) {
        break;
      }
    }
    times.solve(over);
  }

  /** A failure in a stage rolls back to what counts then. */
  private void segment(int state, int stages) {
    int now = state;
    double alive = 1;
    times.begin(state);
    for (int stage = 0; stage < stages; stage++) {
      double still = Math.exp(-rollback.failuresPerSecond() * schedule.end(stage));
      times.stage(state, now, alive - still, rollback.seconds() + rolledBack(now));
      alive = still;
      now |= stage + 1 < stages ? 1 << schedule.endedLevel(stage) : 0;
    }
  }

  /** The expected time of running again, up to this segment, what a failure here rolls back. */
  private double rolledBack(int now) {
    double seconds = 0;
    for (int level = 0; level < levels; level++) {
      int higher = above(now, level);
      double lost =
          (now >> level & 1) != 0
              ? redo[level][higher]
              : before[level][higher] + since[level][higher];
      seconds += rollback.weight(level) * lost;
    }
    return seconds;
  }

  /** Adds the current segment to what a later failure runs again. */
  private void accumulate(int over) {
    for (int level = 0; level < levels; level++) {
      int highest = above((1 << levels) - 1, level);
      int returned = over | together[level] | (1 << level);
      for (int higher = highest; ; higher = (higher - 1) & highest) {
        redo[level][higher] += times.expected(returned | higher);
        since[level][higher] += times.expected(over | above(higher, topOf[level]));
        if (higher == 0) {
          break;
        }
      }
    }
  }

  /** Takes the checkpoints of all levels up to {@code top}: their periods begin again. */
  private void turn(int top) {
    for (int level = 0; level < levels; level++) {
      if (level > top) {
        together[level] = above(together[level], top);
        continue;
      }
      int highest = above((1 << levels) - 1, level);
      int ended = highest & ~above(highest, top);
      for (int higher = highest; ; higher = (higher - 1) & highest) {
        before[level][higher] = redo[level][higher | ended];
        if (higher == 0) {
          break;
        }
      }
      Arrays.fill(redo[level], 0);
      Arrays.fill(since[level], 0);
      together[level] = (1 << level) - 1;
      topOf[level] = top;
    }
  }
}
