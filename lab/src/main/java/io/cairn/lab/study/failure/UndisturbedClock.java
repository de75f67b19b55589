package io.cairn.lab.study.failure;

/** When a job that no failure disturbs completes the stages of its patterns. Immutable. */
final class UndisturbedClock {
  private final double[] endSeconds;

  /** A clock that shows 0 when a pattern begins, and these times when its stages end. */
  UndisturbedClock(double[] endSeconds) {
    this.endSeconds = endSeconds.clone();
  }

  /**
   * When the job has completed a number of stages, from the start of the run; both may be negative.
   */
  double secondsAt(long position) {
    long pattern = Math.floorDiv(position, endSeconds.length);
    int stage = Math.floorMod(position, endSeconds.length);
    double inPattern = stage == 0 ? 0 : endSeconds[stage - 1];
    return pattern * endSeconds[endSeconds.length - 1] + inPattern;
  }
}
