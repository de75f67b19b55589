package io.cairn.lab.study.pattern;

import io.cairn.core.pattern.Check;

/**
 * A platform with two levels of checkpoints. The lower one stops the application. The upper one
 * stops it too (blocking) or is flushed while the application runs (non-blocking). Source: Sato et
 * al., "Design and Modeling of a Non-blocking Checkpointing System", SC 2012. Immutable.
 *
 * @param failuresPerSecond1 failures that the lower level survives
 * @param failuresPerSecond2 failures that only the upper level survives
 * @param checkpointSeconds1 a checkpoint of the lower level
 * @param recoverySeconds1 a recovery from it
 * @param checkpointSeconds2 a blocking checkpoint of the upper level
 * @param flushSeconds a non-blocking one, from begin to end
 * @param recoverySeconds2 a recovery from either
 * @param overheadFactor by what part computation is slower while a flush runs, α
 * @param firstSegmentFromLevel2 whether, with blocking checkpoints, a failure of the lower level in
 *     the first segment recovers from the upper level: its checkpoint is the only one there
 * @param recoveryFailuresEscalate whether every failure during a recovery from the lower level
 *     leads to one from the upper level, not only failures of that level
 */
public record TwoLevelPlatform(
    double failuresPerSecond1,
    double failuresPerSecond2,
    double checkpointSeconds1,
    double recoverySeconds1,
    double checkpointSeconds2,
    double flushSeconds,
    double recoverySeconds2,
    double overheadFactor,
    boolean firstSegmentFromLevel2,
    boolean recoveryFailuresEscalate) {

  /** Checks every number by its name. */
  public TwoLevelPlatform {
    Check.positive(failuresPerSecond1, "failuresPerSecond1 (l1)");
    Check.positive(failuresPerSecond2, "failuresPerSecond2 (l2)");
    Check.positive(checkpointSeconds1, "checkpointSeconds1 (c1)");
    Check.notNegative(recoverySeconds1, "recoverySeconds1 (r1)");
    Check.positive(checkpointSeconds2, "checkpointSeconds2 (c2)");
    Check.positive(flushSeconds, "flushSeconds (lat)");
    Check.notNegative(recoverySeconds2, "recoverySeconds2 (r2)");
    Check.notNegative(overheadFactor, "overheadFactor (alpha)");
  }

  /** The rate of all failures. */
  public double failuresPerSecond() {
    return failuresPerSecond1 + failuresPerSecond2;
  }

  /** A segment of {@code workSeconds} and its checkpoint, while no flush runs. */
  double plainSeconds(double workSeconds) {
    return workSeconds + checkpointSeconds1;
  }

  /** A segment of {@code workSeconds} and its checkpoint, while a flush runs. */
  double slowedSeconds(double workSeconds) {
    return (1 + overheadFactor) * workSeconds + checkpointSeconds1;
  }

  /**
   * How many segments of {@code workSeconds} a flush spans, begun ones included; at least 1. More
   * than a pattern has means that flushes do not keep up.
   */
  public int flushSegments(double workSeconds) {
    double spanned =
        flushSeconds / slowedSeconds(Check.positive(workSeconds, "segmentSeconds (t)"));
    // A flush that ends with its segment, but for rounding, does not reach into the next.
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, Math.ceil(spanned * (1 - 1e-12))));
  }
}
