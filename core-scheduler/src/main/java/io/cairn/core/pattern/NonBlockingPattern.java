package io.cairn.core.pattern;

import static io.cairn.core.pattern.SegmentTimes.above;

import java.util.Arrays;
import java.util.List;

/**
 * The expected time of a pattern of k levels whose checkpoints are flushed while the application
 * computes: the two-level model of Sato et al. (SC 2012), extended to levels with a blocking time,
 * a flush and a slow-down of their own, and to flushes that end within a segment. {@code
 * docs/MODELS.md} derives it.
 *
 * <p>Problem: failures of each level are a Poisson process, during work, checkpoints and
 * recoveries. A failure of level ℓ rolls back to the newest checkpoint whose flush to a level ≥ ℓ
 * has ended. Complexity: O(N·2^f·k²) for N segments and f flushes at the same time, without
 * allocation. Not thread-safe: one per thread.
 */
public final class NonBlockingPattern {
  /*
   * State
   *
   * The state at the begin of a segment is its position and one bit per level. The bit is set if
   * the newest checkpoint of that level counts, that is, if its flush has ended.
   *
   * Walk
   *
   * A walk over the pattern takes every set of bits that contains those of the schedule without
   * failures. For each set it computes the expected time until the segment is done. It uses the
   * expected times of earlier segments, which a failure repeats, and the bits with which the
   * segment is then reached again. There are two walks: the first one provides the pattern that
   * precedes the second.
   */

  /** The most levels; the model has a state for each of their subsets. */
  public static final int MAX_LEVELS = 16;

  private final int levels;
  private final Rollback rollback;
  private final FlushSchedule schedule;

  /** For each set of bits: the expected time of the current segment. */
  private final SegmentTimes times;

  /** By level and higher bits: seconds from its newest checkpoint, which counts, to here. */
  private final double[][] redo;

  /** Seconds from its newest checkpoint to here, in the first run. */
  private final double[][] since;

  /** Seconds from its last but one checkpoint, which counts, to its newest. */
  private final double[][] before;

  /** For each level: the lower ones that have no newer checkpoint than it. */
  private final int[] together;

  /** For each level: the highest level of its newest checkpoint. */
  private final int[] topOf;

  private boolean keepsUp;

  /**
   * An evaluator for patterns that use all of these levels.
   *
   * @param selected the cheapest first; 1 to {@value #MAX_LEVELS}
   */
  public NonBlockingPattern(List<NonBlockingLevel> selected) {
    levels = selected.size();
    if (levels < 1 || levels > MAX_LEVELS) {
      throw new IllegalArgumentException(
          "a system has 1 to " + MAX_LEVELS + " levels, not " + levels);
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

  /** Describes a state: a failure in a stage rolls back to the checkpoints that count then. */
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

  /** The expected time to repeat the work that a failure here rolls back, up to this segment. */
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

  /** Adds the current segment to the work that a later failure repeats. */
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
