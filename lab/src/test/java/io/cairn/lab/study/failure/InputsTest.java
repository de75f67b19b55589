package io.cairn.lab.study.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.lab.study.failure.RecordedFailures.Failure;
import io.cairn.lab.study.failure.WeibullFailures.Interval;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the inputs refuse, and by what name. */
class InputsTest {
  private static final SimulatedLevel LOW = SimulatedLevel.blocking(1, 1, 1);
  private static final SimulatedLevel HIGH = SimulatedLevel.blocking(3, 5, 5);

  @ParameterizedTest
  @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
  void numbersThatAreNone(double bad) {
    refused(() -> new ExponentialFailures(List.of(1.0, bad)), "failures per second of level 2");
    refused(() -> new Interval(bad, 1), "the Weibull shape");
    refused(() -> new Interval(1, bad), "mtbfSeconds");
    refused(() -> new Failure(bad, 1), "seconds");
    refused(() -> SimulatedLevel.blocking(2, bad, 1), "checkpointSeconds of level 2");
    refused(() -> SimulatedLevel.blocking(2, 1, bad), "recoverySeconds of level 2");
    refused(() -> new SimulatedLevel(2, 1, 1, bad, 0), "flushSeconds of level 2");
    refused(() -> new Segment(bad, 1), "workSeconds");
    refused(() -> new SimulatedLevel(2, 1, 1, 1, bad), "flushOverhead of level 2");
  }

  @Test
  void zeroesWhereThereMustBeMore() {
    refused(() -> new Interval(1, 0), "mtbfSeconds must be positive and finite: 0.0");
    refused(() -> new Interval(0.01, 1), "the Weibull shape must be at least 0.05: 0.01");
    refused(() -> new Segment(0, 1), "workSeconds must be positive");
    refused(() -> new Failure(1, 0), "level must be one of 1 to 64: 0");
    refused(() -> SimulatedLevel.blocking(0, 1, 1), "level must be at least 1: 0");
    refused(() -> SimulatedLevel.blocking(65, 1, 1), "level must be at most 64: 65");
    refused(() -> new Sampling(0, 1, 1, 1), "runs must be at least 1: 0");
    refused(() -> new Sampling(1, 0, 1, 1), "patternsPerRun must be at least 1: 0");
    refused(() -> new Sampling(1, 1, 1, 0), "threads must be at least 1: 0");
    refused(
        () -> new ExponentialFailures(List.of()), "the list of failure rates must not be empty");
    refused(() -> new WeibullFailures(List.of()), "the list of Weibull distributions");
  }

  @Test
  void failuresOutOfOrder() {
    refused(
        () -> new RecordedFailures(List.of(new Failure(2, 1), new Failure(1, 1))),
        "failure 2 is earlier than the one before it");
  }

  @Test
  void patternsThatAreNone() {
    Segment segment = new Segment(1, 3);
    refused(() -> new SimulatedPattern(List.of(), List.of(segment)), "the list of levels");
    refused(() -> new SimulatedPattern(List.of(LOW), List.of()), "the list of segments");
    refused(
        () -> new SimulatedPattern(List.of(HIGH, LOW), List.of(segment)), "do not rise: [3, 1]");
    refused(
        () -> new SimulatedPattern(List.of(LOW, HIGH), List.of(new Segment(1, 2), segment)),
        "a segment ends with level 2, used are [1, 3]");
    refused(
        () -> new SimulatedPattern(List.of(LOW, HIGH), List.of(segment, new Segment(1, 1))),
        "the last segment does not end with the highest level, 3");
  }

  @Test
  void countsThatDoNotFit() {
    refused(() -> SimulatedPattern.nested(List.of(LOW, HIGH), List.of(), 1), "0 counts for 2");
    refused(() -> SimulatedPattern.nested(List.of(LOW, HIGH), List.of(0), 1), "a count must be");
    refused(
        () -> SimulatedPattern.nested(List.of(LOW, HIGH), List.of(2_000_000), 1),
        "more than 1000000 segments");
  }

  @Test
  void failuresThatNoLevelSurvives() {
    SimulatedPattern pattern = SimulatedPattern.nested(List.of(LOW, HIGH), List.of(2), 10);
    refused(
        () ->
            new PatternSimulator(
                pattern,
                new ExponentialFailures(List.of(1.0, 1.0, 1.0, 1.0)),
                SimulationRules.of(Exposure.EVERYWHERE)),
        "failures of level 4 can occur, but the highest level of the pattern is 3");
  }

  @Test
  void nestedPatternsEndTheirSegmentsWhereCountsSay() {
    SimulatedLevel middle = SimulatedLevel.blocking(2, 3, 3);
    SimulatedPattern pattern =
        SimulatedPattern.nested(List.of(LOW, middle, HIGH), List.of(2, 3), 60);
    assertThat(pattern.segments()).extracting(Segment::level).containsExactly(1, 2, 1, 2, 1, 3);
    assertThat(pattern.segments()).extracting(Segment::workSeconds).containsOnly(10.0);
    assertThat(pattern.workSeconds()).isEqualTo(60);
  }

  private static void refused(ThrowingCallable input, String message) {
    assertThatIllegalArgumentException().isThrownBy(input).withMessageContaining(message);
  }
}
