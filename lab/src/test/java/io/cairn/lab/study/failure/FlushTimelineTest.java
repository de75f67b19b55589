package io.cairn.lab.study.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.study.failure.RecordedFailures.Failure;
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
    SimulationResult quiet = simulate(pattern(400, 0), byTime(), 2);
    assertThat(quiet.meanSeconds()).isEqualTo(2 * WITHOUT_FLUSH);
    assertThat(quiet.skippedFlushes()).as("at the end of the first pattern").isEqualTo(1);
    SimulationResult struck = simulate(pattern(400, 0), byTime(), 2, new Failure(100, 2));
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
  void aFlushMovedByProgressTakesAsLongAsItWouldUndisturbed() throws InterruptedException {
    assertThat(simulate(pattern(75, 0.5), bySchedule(), 1).meanSeconds())
        .isEqualTo(UNDISTURBED, ROUNDING);
    assertThat(simulate(pattern(75, 0.5), bySchedule(), 1, new Failure(60, 1)).meanSeconds())
        .as("as slow again")
        .isEqualTo(60 + 2 + UNDISTURBED, ROUNDING);
    assertThat(simulate(pattern(75, 0.5), bySchedule(), 1, new Failure(80, 1)).meanSeconds())
        .as("over when the failure struck")
        .isEqualTo(80 + 2 + WITHOUT_FLUSH, ROUNDING);
    assertThat(simulate(pattern(160, 0.5), bySchedule(), 1, new Failure(152, 1)).meanSeconds())
        .as("9 seconds left at the checkpoint at 151")
        .isEqualTo(152 + 2 + 9 + (100 - 6) + 1, ROUNDING);
  }

  @Test
  void aFlushMovedByProgressStandsStillDuringRecoveries() throws InterruptedException {
    Failure first = new Failure(74, 1);
    assertThat(
            simulate(pattern(75, 0.5), bySchedule(), 1, first, new Failure(75.5, 2)).meanSeconds())
        .isEqualTo(75.5 + 20 + WITHOUT_FLUSH + UNDISTURBED, ROUNDING);
    assertThat(
            simulate(pattern(75, 0.5), bySchedule(), 1, first, new Failure(150, 2)).meanSeconds())
        .as("since 76 on its way again")
        .isEqualTo(150 + 20 + WITHOUT_FLUSH + UNDISTURBED, ROUNDING);
    assertThat(
            simulate(pattern(75, 0.5), bySchedule(), 1, first, new Failure(152, 2)).meanSeconds())
        .isEqualTo(152 + 20 + WITHOUT_FLUSH, ROUNDING);
  }

  @Test
  void flushesToSeveralLevelsSlowTheWorkTogether() throws InterruptedException {
    SimulatedPattern pattern =
        new SimulatedPattern(
            List.of(
                SimulatedLevel.blocking(1, 1, 2),
                new SimulatedLevel(2, 0, 10, 30, 0.25),
                new SimulatedLevel(3, 0, 20, 60, 0.25)),
            List.of(new Segment(100, 3)));
    assertThat(simulate(pattern, byTime(), 1).meanSeconds())
        .as("20 in the first 30 seconds, 24 in the next 30")
        .isEqualTo(60 + (100 - 20 - 24) + 1, ROUNDING);
  }

  private static double seconds(double flushSeconds, Failure... failures)
      throws InterruptedException {
    return simulate(pattern(flushSeconds, 0.5), byTime(), 1, failures).meanSeconds();
  }

  private static double threeLevels(Failure... failures) throws InterruptedException {
    SimulatedPattern pattern =
        new SimulatedPattern(
            List.of(
                SimulatedLevel.blocking(1, 1, 2),
                new SimulatedLevel(2, 0, 10, 50, 0),
                new SimulatedLevel(3, 0, 20, 80, 0)),
            List.of(new Segment(100, 3)));
    return simulate(pattern, byTime(), 1, failures).meanSeconds();
  }

  private static SimulatedPattern pattern(double flushSeconds, double overhead) {
    return new SimulatedPattern(
        List.of(
            SimulatedLevel.blocking(1, 1, 2), new SimulatedLevel(2, 0, 20, flushSeconds, overhead)),
        List.of(new Segment(100, 1), new Segment(100, 2)));
  }

  private static SimulationRules byTime() {
    return SimulationRules.of(Exposure.EVERYWHERE);
  }

  private static SimulationRules bySchedule() {
    return new SimulationRules(Exposure.EVERYWHERE, Escalation.RETRY, FlushProgress.BY_SCHEDULE);
  }

  private static SimulationResult simulate(
      SimulatedPattern pattern, SimulationRules rules, int patterns, Failure... failures)
      throws InterruptedException {
    return new PatternSimulator(pattern, new RecordedFailures(List.of(failures)), rules)
        .run(new Sampling(1, patterns, 0, 1));
  }
}
