package io.cairn.lab.study.pattern;

import io.cairn.core.pattern.Check;

/**
 * The expected time of a two-level pattern of m segments, in closed form; equal to the absorption
 * time of its Markov chain. O(1) transcendental operations. Immutable and thread-safe.
 *
 * <p>How. A segment of duration T, its level-1 recoveries included, takes a seconds on average. It
 * ends well with probability h, or in a level-2 failure with g = 1 − h. A level-2 failure costs X.
 * So n segments in a row take a·G(n) + g·X·G(n) with G(n) = (1 − hⁿ)/g. They are survived with
 * probability hⁿ.
 */
public final class TwoLevelClosedForm {
  private final TwoLevelPlatform platform;

  /** The formulas for a platform. */
  public TwoLevelClosedForm(TwoLevelPlatform platform) {
    this.platform = platform;
  }

  /**
   * The expected time of a non-blocking pattern. Every segment ends with a level-1 checkpoint, the
   * last one's is flushed during the first {@code flushSegments} of the next pattern.
   *
   * @param segments at least 1
   * @param workSeconds the work of each, above 0
   * @param flushSegments from 1 to {@code segments}
   */
  public double nonBlocking(int segments, double workSeconds, int flushSegments) {
    checkFlush(segments, workSeconds, flushSegments);
    Segment plain = new Segment(platform.plainSeconds(workSeconds), true);
    Segment slowed = new Segment(platform.slowedSeconds(workSeconds), true);
    double recovery = recovery2();
    // From the pattern's begin to its end when its flush is complete: failures return to its begin.
    double redo = plain.untilDone(segments, recovery);
    // The segments after the flush; a failure repeats the pattern, without a flush.
    double rest = plain.row(segments - flushSegments, recovery + redo);
    // The segments during the flush; a failure repeats the previous pattern, then these.
    return rest + slowed.untilDone(flushSegments, recovery + redo);
  }

  /**
   * The expected time of a blocking pattern: all segments but the last end with a level-1
   * checkpoint, the last one with one of level 2.
   */
  public double blocking(int segments, double workSeconds) {
    Check.atLeastOne(segments, "segments (m)");
    Check.positive(workSeconds, "segmentSeconds (t)");
    double plainSeconds = platform.plainSeconds(workSeconds);
    double lastSeconds = workSeconds + platform.checkpointSeconds2();
    boolean first1 = !platform.firstSegmentFromLevel2();
    Segment first = new Segment(segments == 1 ? lastSeconds : plainSeconds, first1);
    double seconds = first.seconds;
    double failed = first.failed;
    double survived = first.survived;
    if (segments > 1) {
      Segment plain = new Segment(plainSeconds, true);
      Segment last = new Segment(lastSeconds, true);
      double row = survived * plain.sum(segments - 2);
      survived *= Math.pow(plain.survived, segments - 2);
      seconds += row * plain.seconds + survived * last.seconds;
      failed += row * plain.failed + survived * last.failed;
      survived *= last.survived;
    }
    return (seconds + failed * recovery2()) / survived;
  }

  static void checkFlush(int segments, double workSeconds, int flushSegments) {
    Check.atLeastOne(segments, "segments (m)");
    Check.positive(workSeconds, "segmentSeconds (t)");
    if (flushSegments < 1 || flushSegments > segments) {
      throw new IllegalArgumentException(
          "flushSegments (F) must be from 1 to segments (m): "
              + flushSegments
              + " against "
              + segments);
    }
  }

  /** A level-2 recovery, which any failure restarts. */
  private double recovery2() {
    double rate = platform.failuresPerSecond();
    return Math.expm1(rate * platform.recoverySeconds2()) / rate;
  }

  /** One segment with its level-1 recoveries. */
  private final class Segment {
    /** Until it is survived or has failed at level 2: a. */
    final double seconds;

    /** The probability of surviving it: h. */
    final double survived;

    /** The probability of a level-2 failure: g. */
    final double failed;

    /**
     * @param duration of the segment
     * @param from1 whether its level-1 failures recover from level 1
     */
    Segment(double duration, boolean from1) {
      double rate = platform.failuresPerSecond();
      double struck = -Math.expm1(-rate * duration);
      double part1 = platform.failuresPerSecond1() / rate;
      double share1 = part1 * struck;
      double share2 = struck - share1;
      double recovered = 0;
      double recovering = 0;
      if (from1) {
        double lost = -Math.expm1(-rate * platform.recoverySeconds1());
        double retried = platform.recoveryFailuresEscalate() ? 0 : part1 * lost;
        recovered = (1 - lost) / (1 - retried);
        recovering = lost / rate / (1 - retried);
      }
      double den = 1 - share1 * recovered;
      seconds = (struck / rate + share1 * recovering) / den;
      survived = Math.exp(-rate * duration) / den;
      // Rounding must not make it more than certain.
      failed = Math.min(1, (share1 * (1 - recovered) + share2) / den);
    }

    /** G(n): how many of n in a row are begun. */
    double sum(int count) {
      return count == 0 ? 0 : -Math.expm1(count * Math.log1p(-failed)) / failed;
    }

    /** Expected seconds of n in a row that a failure, costing {@code failure}, ends. */
    double row(int count, double failure) {
      return count == 0 ? 0 : (seconds + failed * failure) * sum(count);
    }

    /** Expected seconds of n in a row that begin again after each failure. */
    double untilDone(int count, double failure) {
      return row(count, failure) / Math.pow(survived, count);
    }
  }
}
