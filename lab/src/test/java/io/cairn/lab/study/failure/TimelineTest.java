package io.cairn.lab.study.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cairn.lab.study.failure.RecordedFailures.Failure;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Blocking patterns under recorded failures, computed by hand. Without a failure, the pattern is at
 * work in [0, 100), at level 1 until 101, at work until 201, at level 1 until 202 and at level 2
 * until 212.
 */
class TimelineTest {
  private static final double UNDISTURBED = 212;
  private static final SimulatedPattern PATTERN =
      new SimulatedPattern(
          List.of(SimulatedLevel.blocking(1, 1, 2), SimulatedLevel.blocking(2, 10, 20)),
          List.of(new Segment(100, 1), new Segment(100, 2)));

  @Test
  void withoutFailuresWorkAndCheckpointsAddUp() throws InterruptedException {
    for (Exposure exposure : Exposure.values()) {
      SimulationResult result = simulate(exposure);
      assertThat(result.meanSeconds()).isEqualTo(UNDISTURBED);
      assertThat(result.overhead()).isCloseTo(0.06, within(1e-12));
      assertThat(result.rollbacks()).containsExactly(0L, 0L);
      assertThat(result.events()).as("two segments, three checkpoints").isEqualTo(5);
    }
  }

  @Test
  void aFailureDuringWorkLosesTheWorkSinceTheCheckpointAndARecovery() throws InterruptedException {
    for (Exposure exposure : Exposure.values()) {
      SimulationResult result = simulate(exposure, new Failure(150, 1));
      assertThat(result.meanSeconds()).isEqualTo(150 + 2 + 111);
      assertThat(result.rollbacks()).containsExactly(1L, 0L);
      assertThat(result.events()).isEqualTo(6);
    }
  }

  @Test
  void aFailureOfAHigherLevelFallsBehindTheCheckpointsOfLowerOnes() throws InterruptedException {
    for (Exposure exposure : Exposure.values()) {
      SimulationResult result = simulate(exposure, new Failure(150, 2));
      assertThat(result.meanSeconds()).isEqualTo(150 + 20 + UNDISTURBED);
      assertThat(result.rollbacks()).containsExactly(0L, 1L);
      assertThat(result.events()).as("one segment, one checkpoint again").isEqualTo(5 + 1 + 2);
    }
  }

  @Test
  void itAlsoDestroysThem() throws InterruptedException {
    for (Exposure exposure : Exposure.values()) {
      SimulationResult result = simulate(exposure, new Failure(150, 2), new Failure(180, 1));
      assertThat(result.meanSeconds()).isEqualTo(180 + 2 + UNDISTURBED);
    }
  }

  @Test
  void aFailureBetweenTheLevelsOfACheckpoint() throws InterruptedException {
    Failure failure = new Failure(205, 1);
    assertThat(seconds(Exposure.COMPUTATION_ONLY, failure)).isEqualTo(UNDISTURBED);
    assertThat(seconds(Exposure.EVERYWHERE, failure)).isEqualTo(205 + 2 + 10);
    assertThat(seconds(Exposure.ATOMIC_CHAIN_EXCEPT_RECOVERY, failure)).isEqualTo(205 + 2 + 111);
  }

  @Test
  void aFailureDuringARecovery() throws InterruptedException {
    Failure[] failures = {new Failure(50, 1), new Failure(51, 2)};
    assertThat(seconds(Exposure.COMPUTATION_ONLY, failures)).isEqualTo(50 + 2 + UNDISTURBED);
    assertThat(seconds(Exposure.EVERYWHERE, failures)).isEqualTo(51 + 20 + UNDISTURBED);
    assertThat(seconds(Exposure.ATOMIC_CHAIN_EXCEPT_RECOVERY, failures))
        .isEqualTo(50 + 2 + UNDISTURBED);
    assertThat(simulate(Exposure.EVERYWHERE, failures).rollbacks()).containsExactly(1L, 1L);
  }

  @Test
  void aLesserFailureDuringARecoveryBeginsItAgain() throws InterruptedException {
    SimulationResult result = simulate(Exposure.EVERYWHERE, new Failure(50, 2), new Failure(60, 1));
    assertThat(result.meanSeconds()).isEqualTo(60 + 20 + UNDISTURBED);
    assertThat(result.rollbacks()).containsExactly(0L, 2L);
  }

  @Test
  void anEqualFailureDuringARecoveryRetriesOrEscalates() throws InterruptedException {
    RecordedFailures failures =
        new RecordedFailures(List.of(new Failure(150, 1), new Failure(151, 1)));
    assertThat(simulate(PATTERN, failures, rules(Escalation.RETRY), 1).meanSeconds())
        .isEqualTo(151 + 2 + 111);
    SimulationResult escalated = simulate(PATTERN, failures, rules(Escalation.NEXT_LEVEL), 1);
    assertThat(escalated.meanSeconds()).isEqualTo(151 + 20 + UNDISTURBED);
    assertThat(escalated.rollbacks()).containsExactly(1L, 1L);
  }

  @Test
  void theHighestLevelRetriesWhereOthersEscalate() throws InterruptedException {
    RecordedFailures failures =
        new RecordedFailures(List.of(new Failure(50, 2), new Failure(60, 2), new Failure(70, 1)));
    assertThat(simulate(PATTERN, failures, rules(Escalation.NEXT_LEVEL), 1).meanSeconds())
        .isEqualTo(70 + 20 + UNDISTURBED);
  }

  @Test
  void aFailureAtTheMomentThatACheckpointIsCompleteFindsItComplete() throws InterruptedException {
    assertThat(seconds(Exposure.EVERYWHERE, new Failure(101, 1))).isEqualTo(101 + 2 + 111);
  }

  @Test
  void severalFailuresAtOnce() throws InterruptedException {
    SimulationResult result =
        simulate(Exposure.EVERYWHERE, new Failure(150, 1), new Failure(150, 2));
    assertThat(result.meanSeconds()).isEqualTo(150 + 20 + UNDISTURBED);
    assertThat(result.rollbacks()).containsExactly(1L, 1L);
  }

  @Test
  void patternsFollowEachOtherAndFailuresDoNotReachBehindTheOneAtHand()
      throws InterruptedException {
    RecordedFailures failures = new RecordedFailures(List.of(new Failure(300, 2)));
    assertThat(simulate(PATTERN, failures, rules(Escalation.RETRY), 2).meanSeconds())
        .isEqualTo(300 + 20 + UNDISTURBED);
  }

  @Test
  void aFailureOfALevelWithoutCheckpointsFallsToTheNextHigherOne() throws InterruptedException {
    SimulatedPattern pattern =
        new SimulatedPattern(
            List.of(SimulatedLevel.blocking(1, 1, 2), SimulatedLevel.blocking(3, 10, 20)),
            List.of(new Segment(100, 1), new Segment(100, 3)));
    SimulationResult result =
        simulate(
            pattern,
            new RecordedFailures(List.of(new Failure(150, 2))),
            rules(Escalation.RETRY),
            1);
    assertThat(result.meanSeconds()).isEqualTo(150 + 20 + UNDISTURBED);
    assertThat(result.rollbacks()).containsExactly(0L, 1L);
  }

  @Test
  void aCumulativeRecoveryReadsEveryLevelBack() throws InterruptedException {
    SimulationResult result =
        simulate(
            PATTERN.withCumulativeRecovery(),
            new RecordedFailures(List.of(new Failure(150, 2))),
            rules(Escalation.RETRY),
            1);
    assertThat(result.meanSeconds()).isEqualTo(150 + 22 + UNDISTURBED);
  }

  private static double seconds(Exposure exposure, Failure... failures)
      throws InterruptedException {
    return simulate(exposure, failures).meanSeconds();
  }

  private static SimulationResult simulate(Exposure exposure, Failure... failures)
      throws InterruptedException {
    return simulate(
        PATTERN, new RecordedFailures(List.of(failures)), SimulationRules.of(exposure), 1);
  }

  private static SimulationRules rules(Escalation escalation) {
    return new SimulationRules(Exposure.EVERYWHERE, escalation, FlushProgress.BY_TIME);
  }

  private static SimulationResult simulate(
      SimulatedPattern pattern, FailureSource failures, SimulationRules rules, int patterns)
      throws InterruptedException {
    return new PatternSimulator(pattern, failures, rules).run(new Sampling(1, patterns, 0, 1));
  }
}
