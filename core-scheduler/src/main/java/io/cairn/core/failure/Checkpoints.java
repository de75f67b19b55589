package io.cairn.core.failure;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoints of a run: the newest that counts at each level, and those on their way to one. A
 * checkpoint is named by the number of stages that the job had completed when it was taken, counted
 * from the start of the run, so negative before it. Levels are indexes. Allocates nothing per
 * event. Not thread-safe.
 */
final class Checkpoints {
  private static final long NEVER = Long.MAX_VALUE;

  private final double[] flushSeconds;
  private final double stretch;

  /** Null where time moves flushes on. */
  private final @Nullable FlushSpans spans;

  /** Per level, the newest checkpoint that counts there or at a higher level. */
  private final long[] newest;

  /** Per level, the checkpoint on its way there, and when it will be there. */
  private final long[] flushed;

  private final double[] endSeconds;
  private final long[] endPosition;

  private final boolean everFlushes;
  private int underWay;
  private double lastEndSeconds;

  Checkpoints(SimulatedPattern pattern, Timetable timetable, SimulationRules rules) {
    int levels = pattern.levels().size();
    flushSeconds = pattern.levels().stream().mapToDouble(SimulatedLevel::flushSeconds).toArray();
    everFlushes = Arrays.stream(flushSeconds).anyMatch(seconds -> seconds > 0);
    stretch = 1 + rules.flushOverhead();
    spans =
        rules.flushProgress() == FlushProgress.BY_SEGMENTS
            ? new FlushSpans(pattern, timetable, stretch)
            : null;
    newest = new long[levels];
    flushed = new long[levels];
    endSeconds = new double[levels];
    endPosition = new long[levels];
    Arrays.fill(endSeconds, Double.POSITIVE_INFINITY);
    Arrays.fill(endPosition, NEVER);
  }

  /** Becomes what another was, seen from its end: its present is second 0 and stage 0. */
  void startAfter(Checkpoints before, double nowSeconds, long position) {
    for (int level = 0; level < newest.length; level++) {
      newest[level] = before.newest[level] - position;
      flushed[level] = before.flushed[level] - position;
      endSeconds[level] = before.endSeconds[level] - nowSeconds;
      boolean atPosition = before.endPosition[level] != NEVER;
      endPosition[level] = atPosition ? before.endPosition[level] - position : NEVER;
    }
    underWay = before.underWay;
    lastEndSeconds = before.lastEndSeconds - nowSeconds;
  }

  /** How long work takes that begins now, if no flush begins meanwhile. */
  double stretched(double workSeconds, double nowSeconds) {
    if (underWay == 0) {
      return workSeconds;
    }
    double busySeconds = lastEndSeconds - nowSeconds;
    double slowSeconds = workSeconds * stretch;
    return slowSeconds <= busySeconds
        ? slowSeconds
        : busySeconds + (workSeconds - busySeconds / stretch);
  }

  /**
   * Says that the stage that ended now held nothing but a further level of the checkpoint before
   * it: a job that falls back to a lower level of that checkpoint need not take the further one
   * again.
   */
  void sameStateAsBefore(long position) {
    for (int level = 0; everFlushes && level < newest.length; level++) {
      newest[level] += newest[level] == position - 1 ? 1 : 0;
      flushed[level] += flushed[level] == position - 1 ? 1 : 0;
    }
  }

  /** Counts the flushes that completed by now. */
  void settle(double nowSeconds, long position) {
    if (underWay == 0) {
      return;
    }
    for (int level = 0; level < newest.length; level++) {
      if (endSeconds[level] <= nowSeconds || endPosition[level] <= position) {
        long arrived = flushed[level];
        end(level);
        count(arrived, level);
      }
    }
  }

  /**
   * Takes a checkpoint at a level, at the end of a stage; it counts at once, or when its flush
   * ends.
   *
   * @return whether the level takes it, and is not busy with a flush
   */
  boolean take(int level, int stage, double nowSeconds, long position) {
    if (flushSeconds[level] == 0) {
      count(position, level);
      return true;
    }
    if (isFlushing(level)) {
      return false;
    }
    flushed[level] = position;
    if (spans == null) {
      endSeconds[level] = nowSeconds + flushSeconds[level];
    } else {
      endPosition[level] = position + spans.stages(stage, level);
    }
    underWay++;
    findLastEnd();
    return true;
  }

  /** The checkpoint that a failure of a level leaves; what it destroys is gone. */
  long fallBack(int failureLevel) {
    long target = newest[failureLevel];
    Arrays.fill(newest, 0, failureLevel, target);
    for (int level = 0; underWay > 0 && level < newest.length; level++) {
      if (isFlushing(level) && (level <= failureLevel || flushed[level] > target)) {
        end(level);
      }
    }
    return target;
  }

  private boolean isFlushing(int level) {
    return endPosition[level] != NEVER || endSeconds[level] != Double.POSITIVE_INFINITY;
  }

  private void count(long checkpoint, int highest) {
    for (int level = 0; level <= highest; level++) {
      newest[level] = Math.max(newest[level], checkpoint);
    }
  }

  private void end(int level) {
    endSeconds[level] = Double.POSITIVE_INFINITY;
    endPosition[level] = NEVER;
    underWay--;
    findLastEnd();
  }

  /** Where positions move flushes on, work is slow up to the end of its stage. */
  private void findLastEnd() {
    lastEndSeconds = spans == null ? 0 : Double.POSITIVE_INFINITY;
    for (int level = 0; spans == null && level < newest.length; level++) {
      if (isFlushing(level)) {
        lastEndSeconds = Math.max(lastEndSeconds, endSeconds[level]);
      }
    }
  }
}
