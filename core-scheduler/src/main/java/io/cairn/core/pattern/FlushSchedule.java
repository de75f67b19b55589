package io.cairn.core.pattern;

import java.util.List;

/**
 * The flushes of a pattern without failures. {@link #begin} and {@link #advance} go through the
 * pattern segment by segment; {@link #stages} cuts the current segment where flushes end. Allocates
 * nothing after construction; not thread-safe.
 */
final class FlushSchedule {
  /** A smaller part of a flush is rounding. */
  private static final double SNAP = 1e-9;

  private final int levels;
  private final double[] flush;
  private final double[] alpha;

  /** Blocking seconds of the checkpoints of all levels up to one. */
  private final double[] blocking;

  private final double[] left;
  private double work;

  /** The ends of the current segment's stages, and the level whose flush ends there. */
  private final double[] ends;

  private final int[] endedLevels;
  private int stages;

  FlushSchedule(List<NonBlockingLevel> selected) {
    levels = selected.size();
    flush = new double[levels];
    alpha = new double[levels];
    blocking = new double[levels];
    left = new double[levels];
    ends = new double[levels + 1];
    endedLevels = new int[levels + 1];
    double stop = 0;
    double longest = 0;
    for (int level = 0; level < levels; level++) {
      NonBlockingLevel each = selected.get(level);
      // Each level reads from the one below, so none counts before that one does.
      longest = Math.max(longest, each.flushSeconds());
      flush[level] = longest;
      alpha[level] = each.overheadFactor();
      stop += each.blockingSeconds();
      blocking[level] = stop;
    }
  }

  /** Goes to the begin of a pattern, where flushes of all levels begin. */
  void begin(double segmentSeconds) {
    work = segmentSeconds;
    restart(levels - 1);
  }

  /** The flushes that are over when the current segment begins, as a set of bits. */
  int over() {
    int bits = 0;
    for (int level = 0; level < levels; level++) {
      bits |= left[level] > 0 ? 0 : 1 << level;
    }
    return bits;
  }

  /**
   * Goes to the next segment.
   *
   * @param top the highest level of the checkpoint between
   * @return whether that keeps up: a flush that is replaced by the next of its level has ended
   */
  boolean advance(int top) {
    stages(over(), top);
    double seconds = ends[stages - 1];
    boolean keepsUp = true;
    for (int level = 0; level < levels; level++) {
      left[level] -= seconds;
      if (left[level] < SNAP * flush[level]) {
        left[level] = 0;
      }
      keepsUp &= level > top || left[level] == 0;
    }
    restart(top);
    return keepsUp;
  }

  private void restart(int top) {
    for (int level = 0; level <= top; level++) {
      left[level] = flush[level];
    }
  }

  /**
   * Cuts the current segment, given which flushes are over when it begins, into stages: each ends
   * with a flush, the last one with the segment.
   *
   * @param over as a set of bits
   * @param top the highest level of the checkpoint at its end
   * @return their number
   */
  int stages(int over, int top) {
    double slow = 1;
    stages = 0;
    for (int level = 0; level < levels; level++) {
      if ((over >> level & 1) == 0) {
        slow += alpha[level];
        insert(level);
      }
    }
    double time = 0;
    double todo = work;
    for (int stage = 0; stage < stages && time + todo * slow > ends[stage]; stage++) {
      todo -= (ends[stage] - time) / slow;
      time = ends[stage];
      slow -= alpha[endedLevels[stage]];
    }
    double seconds = time + todo * slow + blocking[top];
    while (stages > 0 && ends[stages - 1] >= seconds) {
      stages--;
    }
    ends[stages++] = seconds;
    return stages;
  }

  /** Keeps the ends sorted; there is one per level at most. */
  private void insert(int level) {
    int at = stages++;
    while (at > 0 && ends[at - 1] > left[level]) {
      ends[at] = ends[at - 1];
      endedLevels[at] = endedLevels[at - 1];
      at--;
    }
    ends[at] = left[level];
    endedLevels[at] = level;
  }

  /** When a stage of the last {@link #stages} ends, after the segment's begin. */
  double end(int stage) {
    return ends[stage];
  }

  /** The level whose flush ends with a stage that is not the last. */
  int endedLevel(int stage) {
    return endedLevels[stage];
  }
}
