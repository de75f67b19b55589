package io.cairn.lab.study.failure;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoints of a run: the newest that counts at each level, and those on their way to one.
 * The name of a checkpoint is the number of stages that the job had completed when it was taken.
 * Stages count from the start of the run, so names before it are negative. Levels are indexes.
 * Allocates nothing per event. Not thread-safe.
 *
 * <p>Flushes run on a clock of their own. It shows the time where time advances them. Where
 * progress does, it stands still during recoveries. Whenever the job completes a stage or falls
 * back to the end of one, it is set to an undisturbed job's.
 */
final class Checkpoints {
  private static final double NEVER = Double.POSITIVE_INFINITY;

  private final double[] flushSeconds;
  private final double[] flushOverhead;
  private final boolean everFlushes;

  /** Null where time moves flushes on. */
  private final @Nullable UndisturbedClock undisturbed;

  /** Per level, the newest checkpoint that counts there or at a higher level. */
  private final long[] newest;

  /** Per level, the checkpoint on its way there, and when it will be there. */
  private final long[] flushed;

  private final double[] endSeconds;

  private int underWay;
  private double clockBehindSeconds;

  Checkpoints(SimulatedPattern pattern, @Nullable UndisturbedClock undisturbed) {
    int levels = pattern.levels().size();
    flushSeconds = pattern.levels().stream().mapToDouble(SimulatedLevel::flushSeconds).toArray();
    flushOverhead = pattern.levels().stream().mapToDouble(SimulatedLevel::flushOverhead).toArray();
    everFlushes = Arrays.stream(flushSeconds).anyMatch(seconds -> seconds > 0);
    this.undisturbed = undisturbed;
    newest = new long[levels];
    flushed = new long[levels];
    endSeconds = new double[levels];
    Arrays.fill(endSeconds, NEVER);
  }

  /** Becomes what another was, seen from its end: its present is second 0 and stage 0. */
  void startAfter(Checkpoints before, double nowSeconds, long position) {
    double clock = before.clock(nowSeconds);
    for (int level = 0; level < newest.length; level++) {
      newest[level] = before.newest[level] - position;
      flushed[level] = before.flushed[level] - position;
      endSeconds[level] = before.endSeconds[level] - clock;
    }
    underWay = before.underWay;
    clockBehindSeconds = 0;
  }

  private double clock(double nowSeconds) {
    return nowSeconds - clockBehindSeconds;
  }

  /** How long work takes that begins now and is not disturbed. */
  double stretched(double workSeconds, double nowSeconds) {
    if (underWay == 0) {
      return workSeconds;
    }
    double clock = clock(nowSeconds);
    double taken = 0;
    double left = workSeconds;
    while (true) {
      double slow = 1;
      double untilEnd = NEVER;
      for (int level = 0; level < endSeconds.length; level++) {
        double flush = endSeconds[level] - clock - taken;
        if (flush > 0 && flush != NEVER) {
          slow += flushOverhead[level];
          untilEnd = Math.min(untilEnd, flush);
        }
      }
      if (left * slow <= untilEnd) {
        return taken + left * slow;
      }
      left -= untilEnd / slow;
      taken += untilEnd;
    }
  }

  /** Says that the job completed a stage, and counts the flushes that completed by now. */
  void completeStage(double nowSeconds, long position) {
    if (undisturbed != null) {
      clockBehindSeconds = nowSeconds - undisturbed.secondsAt(position);
    }
    settle(nowSeconds);
  }

  /** Counts the flushes that completed by now. */
  void settle(double nowSeconds) {
    for (int level = 0; underWay > 0 && level < newest.length; level++) {
      if (endSeconds[level] <= clock(nowSeconds)) {
        endFlush(level);
        count(flushed[level], level);
      }
    }
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

  /**
   * Takes a checkpoint at a level, at the end of a stage; it counts at once, or when its flush
   * ends.
   *
   * @return whether the level takes it, and is not busy with a flush
   */
  boolean take(int level, double nowSeconds, long position) {
    if (flushSeconds[level] == 0) {
      count(position, level);
      return true;
    }
    if (isFlushing(level)) {
      return false;
    }
    flushed[level] = position;
    endSeconds[level] = clock(nowSeconds) + flushSeconds[level];
    underWay++;
    return true;
  }

  /** The checkpoint that a failure now leaves; what the failure destroys is gone. */
  long fallBack(int failureLevel, double nowSeconds) {
    long target = newest[failureLevel];
    Arrays.fill(newest, 0, failureLevel, target);
    for (int level = 0; underWay > 0 && level < newest.length; level++) {
      if (isFlushing(level) && (level <= failureLevel || flushed[level] > target)) {
        endFlush(level);
      }
    }
    if (undisturbed != null) {
      clockBehindSeconds = nowSeconds - undisturbed.secondsAt(target);
    }
    return target;
  }

  /** Says that the time just spent was a recovery's. */
  void spendOnRecovery(double seconds) {
    if (undisturbed != null) {
      clockBehindSeconds += seconds;
    }
  }

  private boolean isFlushing(int level) {
    return endSeconds[level] != NEVER;
  }

  private void endFlush(int level) {
    endSeconds[level] = NEVER;
    underWay--;
  }

  private void count(long checkpoint, int highest) {
    for (int level = 0; level <= highest; level++) {
      newest[level] = Math.max(newest[level], checkpoint);
    }
  }
}
