package io.cairn.lab.study.pattern;

import java.util.function.DoubleUnaryOperator;
import org.hipparchus.optim.MaxEval;
import org.hipparchus.optim.nonlinear.scalar.GoalType;
import org.hipparchus.optim.univariate.BrentOptimizer;
import org.hipparchus.optim.univariate.SearchInterval;
import org.hipparchus.optim.univariate.UnivariateObjectiveFunction;
import org.hipparchus.optim.univariate.UnivariatePointValuePair;

/**
 * The most efficient two-level pattern: work per expected time, over the number of segments and
 * their length.
 *
 * @param segments m
 * @param segmentSeconds the work of each, t
 * @param flushSegments how many a flush spans; 0 with blocking checkpoints
 * @param expectedSeconds of a pattern
 * @param efficiency m·t / expected time
 */
public record TwoLevelOptimum(
    int segments,
    double segmentSeconds,
    int flushSegments,
    double expectedSeconds,
    double efficiency) {
  /**
   * How far past the best number of segments the search continues; efficiency is flat, not bumpy.
   */
  private static final int PATIENCE = 12;

  private static final int MAX_SEGMENTS = 4096;
  private static final double TOLERANCE = 1e-9;

  /**
   * The best non-blocking pattern whose flushes keep up, that is, end within the pattern. A flush
   * that spans F segments gives the segment's length a range; expected time is smooth in each and
   * jumps between them, so each is searched by itself, its lower end included. Fewer segments per
   * flush mean longer segments, so the search begins with F = m and goes down while that pays.
   */
  public static TwoLevelOptimum nonBlocking(TwoLevelPlatform platform) {
    TwoLevelClosedForm form = new TwoLevelClosedForm(platform);
    return best(segments -> flushing(form, platform, segments));
  }

  private static TwoLevelOptimum flushing(
      TwoLevelClosedForm form, TwoLevelPlatform platform, int segments) {
    TwoLevelOptimum best = flushing(form, platform, segments, segments);
    int since = 0;
    for (int flush = segments - 1; flush >= 1 && since < PATIENCE; flush--) {
      TwoLevelOptimum found = flushing(form, platform, segments, flush);
      since = found.efficiency > best.efficiency || best.efficiency == 0 ? 0 : since + 1;
      best = found.efficiency > best.efficiency ? found : best;
    }
    return best;
  }

  /** The best blocking pattern. */
  public static TwoLevelOptimum blocking(TwoLevelPlatform platform) {
    TwoLevelClosedForm form = new TwoLevelClosedForm(platform);
    double guess = guess(platform);
    return best(
        segments ->
            longest(segments, 0, guess * 1e-4, guess * 1e4, work -> form.blocking(segments, work)));
  }

  private interface PerSegments {
    TwoLevelOptimum of(int segments);
  }

  private static TwoLevelOptimum best(PerSegments candidates) {
    TwoLevelOptimum best = candidates.of(1);
    for (int m = 2; m <= Math.min(MAX_SEGMENTS, best.segments * 3 / 2 + PATIENCE); m++) {
      TwoLevelOptimum found = candidates.of(m);
      if (found.efficiency > best.efficiency) {
        best = found;
      }
    }
    return best;
  }

  private static TwoLevelOptimum flushing(
      TwoLevelClosedForm form, TwoLevelPlatform platform, int segments, int flush) {
    double lower = lengthForFlush(platform, flush);
    double upper =
        flush == 1 ? Math.max(lower, guess(platform)) * 1e3 : lengthForFlush(platform, flush - 1);
    double shortest = guess(platform) * 1e-4;
    if (upper <= shortest) {
      return new TwoLevelOptimum(segments, shortest, flush, Double.POSITIVE_INFINITY, 0);
    }
    return longest(
        segments,
        flush,
        Math.max(lower, shortest),
        upper,
        work -> form.nonBlocking(segments, work, flush));
  }

  /** The work per segment with which a flush spans exactly so many segments. */
  private static double lengthForFlush(TwoLevelPlatform platform, int flush) {
    return (platform.flushSeconds() / flush - platform.checkpointSeconds1())
        / (1 + platform.overheadFactor());
  }

  /** Young's period of the lower level: the scale of a segment. */
  private static double guess(TwoLevelPlatform platform) {
    return Math.sqrt(2 * platform.checkpointSeconds1() / platform.failuresPerSecond());
  }

  private static TwoLevelOptimum longest(
      int segments, int flush, double lower, double upper, DoubleUnaryOperator expected) {
    DoubleUnaryOperator logOverhead =
        log -> Math.log(expected.applyAsDouble(Math.exp(log)) / segments) - log;
    UnivariatePointValuePair inside =
        new BrentOptimizer(TOLERANCE, TOLERANCE)
            .optimize(
                new MaxEval(1000),
                GoalType.MINIMIZE,
                new SearchInterval(Math.log(lower), Math.log(upper)),
                new UnivariateObjectiveFunction(logOverhead::applyAsDouble));
    double end = Math.log(lower);
    double log = logOverhead.applyAsDouble(end) <= inside.getValue() ? end : inside.getPoint();
    double work = Math.exp(log);
    double seconds = expected.applyAsDouble(work);
    return new TwoLevelOptimum(segments, work, flush, seconds, segments * work / seconds);
  }
}
