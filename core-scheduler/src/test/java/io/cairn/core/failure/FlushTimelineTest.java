package io.cairn.core.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.failure.RecordedFailures.Failure;
import java.util.Collections;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * Flushes behind the work under recorded failures, computed by hand. Undisturbed, a pattern of two
 * segments takes 2 · (100 + 1) seconds, and 25 more for the 75 seconds in which the flush of the
 * pattern before slows the work.
 */
class FlushTimelineTest {
  private static final Offset<Double> ROUNDING = Offset.offset(1e-9);
  private static final double UNDISTURBED = 227;
  private static final double WITHOUT_FLUSH = 202;

  @Test
  void workIsSlowWhileAFlushRuns() throws InterruptedException {
    assertThat(seconds(75)).isEqualTo(UNDISTURBED, ROUNDING);
    assertThat(seconds(150)).as("for all of the first segment").isEqualTo(252, ROUNDING);
    assertThat(seconds(160)).as("into the second").isEqualTo(252 + 3, ROUNDING);
  }

  @Test
  void aFailureThatLeavesItsCheckpointAloneLeavesTheFlushAlone() throws InterruptedException {
    double slow = 75 - 62;
    double fast = 100 - slow / 1.5;
    assertThat(seconds(75, new Failure(60, 1))).isEqualTo(60 + 2 + slow + fast + 1 + 101, ROUNDING);
  }

  @Test
  void aFailureDuringTheFlushFallsBackToThePatternBefore() throws InterruptedException {
    assertThat(seconds(75, new Failure(60, 2)))
        .isEqualTo(60 + 20 + WITHOUT_FLUSH + UNDISTURBED, ROUNDING);
  }

  @Test
  void aFailureAfterTheFlushDoesNot() throws InterruptedException {
    assertThat(seconds(75, new Failure(100, 2))).isEqualTo(100 + 20 + WITHOUT_FLUSH, ROUNDING);
  }

  @Test
  void aFlushCompletesDuringARecovery() throws InterruptedException {
    assertThat(seconds(75, new Failure(74, 1), new Failure(75.5, 2)))
        .isEqualTo(75.5 + 20 + WITHOUT_FLUSH, ROUNDING);
    assertThat(seconds(75, new Failure(74, 1), new Failure(74.5, 2)))
        .isEqualTo(74.5 + 20 + WITHOUT_FLUSH + UNDISTURBED, ROUNDING);
  }

  @Test
  void aLevelThatIsBusyTakesNoOtherCheckpoint() throws InterruptedException {
    SimulationRules rules = rules(FlushProgress.BY_TIME, 0);
    SimulationResult quiet = simulate(pattern(400), rules, 2);
    assertThat(quiet.meanSeconds()).isEqualTo(2 * WITHOUT_FLUSH);
    assertThat(quiet.skippedFlushes()).as("at the end of the first pattern").isEqualTo(1);
    SimulationResult struck = simulate(pattern(400), rules, 2, new Failure(100, 2));
    assertThat(struck.meanSeconds())
        .as("two patterns back, since the level was busy one pattern back")
        .isEqualTo(100 + 20 + 4 * WITHOUT_FLUSH);
    assertThat(struck.skippedFlushes()).isEqualTo(2);
  }

  @Test
  void aFlushThatReadsWhatAFailureDestroyedEnds() throws InterruptedException {
    assertThat(threeLevels(new Failure(30, 2))).isEqualTo(30 + 10 + 101 + 101);
    assertThat(threeLevels(new Failure(30, 2), new Failure(200, 3)))
        .as("begun again at 141, so at level 2 since 191, but not yet at level 3")
        .isEqualTo(200 + 20 + 101 + 101);
  }

  @Test
  void aFlushThatReadsWhatAFailureLeftGoesOn() throws InterruptedException {
    assertThat(threeLevels(new Failure(60, 2), new Failure(90, 3)))
        .as("at level 2 since 50, at level 3 since 80")
        .isEqualTo(90 + 20 + 101);
  }

  @Test
  void flushesCountedInSegmentsDoNotMoveOnWithTime() throws InterruptedException {
    SimulationRules rules = rules(FlushProgress.BY_SEGMENTS, 0.5);
    double slow = 151;
    assertThat(simulate(pattern(75), rules, 1).meanSeconds()).isEqualTo(slow + 101, ROUNDING);
    assertThat(simulate(pattern(75), rules, 1, new Failure(100, 1)).meanSeconds())
        .as("the flush is one segment long, done again or not")
        .isEqualTo(100 + 2 + slow + 101, ROUNDING);
    assertThat(simulate(pattern(75), rules, 1, new Failure(150.5, 2)).meanSeconds())
        .isEqualTo(150.5 + 20 + WITHOUT_FLUSH + slow + 101, ROUNDING);
    assertThat(simulate(pattern(75), rules, 1, new Failure(151, 2)).meanSeconds())
        .isEqualTo(151 + 20 + WITHOUT_FLUSH, ROUNDING);
    assertThat(simulate(pattern(1e6), rules, 1).meanSeconds())
        .as("at most up to the next checkpoint of the level")
        .isEqualTo(2 * slow, ROUNDING);
  }

  private static double seconds(double flushSeconds, Failure... failures)
      throws InterruptedException {
    return simulate(pattern(flushSeconds), rules(FlushProgress.BY_TIME, 0.5), 1, failures)
        .meanSeconds();
  }

  private static double threeLevels(Failure... failures) throws InterruptedException {
    SimulatedPattern pattern =
        new SimulatedPattern(
            List.of(
                SimulatedLevel.blocking(1, 1, 2),
                new SimulatedLevel(2, 0, 10, 50),
                new SimulatedLevel(3, 0, 20, 80)),
            Collections.nCopies(1, new Segment(100, 3)));
    return simulate(pattern, rules(FlushProgress.BY_TIME, 0), 1, failures).meanSeconds();
  }

  private static SimulatedPattern pattern(double flushSeconds) {
    return new SimulatedPattern(
        List.of(SimulatedLevel.blocking(1, 1, 2), new SimulatedLevel(2, 0, 20, flushSeconds)),
        List.of(new Segment(100, 1), new Segment(100, 2)));
  }

  private static SimulationRules rules(FlushProgress progress, double overhead) {
    return new SimulationRules(Exposure.EVERYWHERE, Escalation.RETRY, progress, overhead);
  }

  private static SimulationResult simulate(
      SimulatedPattern pattern, SimulationRules rules, int patterns, Failure... failures)
      throws InterruptedException {
    return new PatternSimulator(pattern, new RecordedFailures(List.of(failures)), rules)
        .run(new Sampling(1, patterns, 0, 1));
  }
}
