package io.cairn.lab.study.pattern;

import io.cairn.core.pattern.Check;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.LUDecomposition;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;

/**
 * The expected time of a two-level pattern as the absorption time of a Markov chain, by one linear
 * solve: the reference for {@link TwoLevelClosedForm}. O(m³), so for patterns of some hundred
 * segments. Immutable and thread-safe.
 *
 * <p>States, each with a duration during which failures may strike: the segments of this pattern
 * while its predecessor's flush is incomplete; its segments with that flush complete, as they are
 * run and as they are run again; the segments of the previous pattern, run again; one level-1
 * recovery for each of them; one level-2 recovery for each begin.
 */
public final class TwoLevelChain {
  private final TwoLevelPlatform platform;

  /** The chains of a platform. */
  public TwoLevelChain(TwoLevelPlatform platform) {
    this.platform = platform;
  }

  /**
   * As {@link TwoLevelClosedForm#nonBlocking}.
   *
   * @throws org.hipparchus.exception.MathIllegalArgumentException if the system is singular in
   *     doubles: then no pattern ever ends
   */
  public double nonBlocking(int segments, double workSeconds, int flushSegments) {
    TwoLevelClosedForm.checkFlush(segments, workSeconds, flushSegments);
    int complete = flushSegments;
    int previous = complete + segments;
    int end = previous + segments;
    Equations equations = new Equations(end, 2);
    double plain = platform.plainSeconds(workSeconds);
    double slowed = platform.slowedSeconds(workSeconds);
    int intoRest = flushSegments < segments ? complete + flushSegments : Equations.DONE;
    for (int i = 0; i < flushSegments; i++) {
      equations.segment(i, slowed, i + 1 < flushSegments ? i + 1 : intoRest, 1);
    }
    for (int i = 0; i < segments; i++) {
      boolean last = i + 1 == segments;
      equations.segment(complete + i, plain, last ? Equations.DONE : complete + i + 1, 0);
      equations.segment(previous + i, plain, last ? 0 : previous + i + 1, 1);
    }
    equations.recovery2(0, complete);
    equations.recovery2(1, previous);
    return equations.solve(0);
  }

  /** As {@link TwoLevelClosedForm#blocking}. */
  public double blocking(int segments, double workSeconds) {
    Check.atLeastOne(segments, "segments (m)");
    Check.positive(workSeconds, "segmentSeconds (t)");
    Equations equations = new Equations(segments, 1);
    for (int i = 0; i < segments; i++) {
      boolean last = i + 1 == segments;
      double duration =
          last ? workSeconds + platform.checkpointSeconds2() : platform.plainSeconds(workSeconds);
      equations.segment(i, duration, last ? Equations.DONE : i + 1, 0);
    }
    if (platform.firstSegmentFromLevel2()) {
      equations.recoverFrom2(0, 0);
    }
    equations.recovery2(0, 0);
    return equations.solve(0);
  }

  /** Expected time until absorption: t = duration + P·t, a row per state. */
  private final class Equations {
    static final int DONE = -1;

    private final int segmentStates;
    private final RealMatrix matrix;
    private final RealVector durations;

    Equations(int segmentStates, int recoveries2) {
      this.segmentStates = segmentStates;
      int size = 2 * segmentStates + recoveries2;
      matrix = new Array2DRowRealMatrix(size, size);
      for (int i = 0; i < size; i++) {
        matrix.setEntry(i, i, 1);
      }
      durations = new ArrayRealVector(size);
    }

    /**
     * A segment and its level-1 recovery; a level-2 failure leads to recovery {@code onFailure2}.
     */
    void segment(int state, double duration, int next, int onFailure2) {
      int recovery1 = segmentStates + state;
      int recovery2 = 2 * segmentStates + onFailure2;
      double lost = stay(state, duration);
      to(state, next, 1 - lost);
      to(state, recovery1, lost * part1());
      to(state, recovery2, lost * (1 - part1()));
      double lostAgain = stay(recovery1, platform.recoverySeconds1());
      double retried = platform.recoveryFailuresEscalate() ? 0 : part1();
      to(recovery1, state, 1 - lostAgain);
      to(recovery1, recovery1, lostAgain * retried);
      to(recovery1, recovery2, lostAgain * (1 - retried));
    }

    /** Sends a segment's level-1 failures to a level-2 recovery. */
    void recoverFrom2(int state, int recovery) {
      int recovery1 = segmentStates + state;
      double share = matrix.getEntry(state, recovery1);
      matrix.setEntry(state, recovery1, 0);
      matrix.addToEntry(state, 2 * segmentStates + recovery, share);
    }

    void recovery2(int recovery, int next) {
      int state = 2 * segmentStates + recovery;
      double lost = stay(state, platform.recoverySeconds2());
      to(state, next, 1 - lost);
      to(state, state, lost);
    }

    double solve(int start) {
      return new LUDecomposition(matrix).getSolver().solve(durations).getEntry(start);
    }

    private double part1() {
      return platform.failuresPerSecond1() / platform.failuresPerSecond();
    }

    /** Sets the mean time in a state that failures end early; returns their probability. */
    private double stay(int state, double duration) {
      double rate = platform.failuresPerSecond();
      double lost = -Math.expm1(-rate * duration);
      durations.setEntry(state, lost / rate);
      return lost;
    }

    private void to(int from, int to, double probability) {
      if (to != DONE) {
        matrix.addToEntry(from, to, -probability);
      }
    }
  }
}
