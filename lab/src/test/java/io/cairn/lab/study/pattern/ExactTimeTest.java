package io.cairn.lab.study.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExactTimeTest {
  private static final Percentage CLOSE = Percentage.withPercentage(1e-9);

  @RepeatedTest(100)
  void equalsTheWalkOverEverySegment(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    LevelStack levels = Platforms.random(random, 1 + random.nextInt(5));
    int[] counts = Platforms.counts(random, levels.size(), 6);
    double length = Platforms.logUniform(random, 1, 0.5 / levels.failuresPerSecond());
    for (FailureModel failures : FailureModel.values()) {
      for (RecoveryCost recovery : RecoveryCost.values()) {
        double walked = new PatternWalk(levels, failures, recovery).expectedSeconds(counts, length);
        assertThat(new ExactTime(levels, failures, recovery).expectedSeconds(counts, length))
            .as("seed %d, %s, %s", seed, failures, recovery)
            .isCloseTo(walked, CLOSE);
      }
    }
  }

  /** One level: (e^(ΛW) − 1)·(1/Λ + R) + C, a textbook formula. */
  @Test
  void oneLevelIsTheTextbooks() {
    LevelStack level = new LevelStack(List.of(new CheckpointLevel("disk", 1e-3, 20, 7)));
    double expected = Math.expm1(1e-3 * 500) * (1e3 + 7) + 20;
    assertThat(
            new ExactTime(level, FailureModel.COMPUTATION_ONLY, RecoveryCost.OWN)
                .expectedSeconds(new int[0], 500))
        .isCloseTo(expected, CLOSE);
  }

  /** Failures in more places cost more. */
  @RepeatedTest(50)
  void failuresInCheckpointsCostTime(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    LevelStack levels = Platforms.random(random, 3);
    int[] counts = Platforms.counts(random, 3, 5);
    double length = Platforms.logUniform(random, 10, 1 / levels.failuresPerSecond());
    double safe = time(levels, FailureModel.COMPUTATION_ONLY, counts, length);
    assertThat(time(levels, FailureModel.ATOMIC_CHAIN_EXCEPT_RECOVERY, counts, length))
        .as("seed %d", seed)
        .isGreaterThan(safe);
    assertThat(time(levels, FailureModel.EVERYWHERE, counts, length))
        .as("seed %d", seed)
        .isGreaterThan(safe);
  }

  /** Nobody waits for a pattern of many failures per segment; its time is no number, not NaN. */
  @ParameterizedTest
  @EnumSource
  void hopelessPatternsTakeForever(FailureModel failures) {
    LevelStack levels = Platforms.random(new Random(7), 4);
    assertThat(time(levels, failures, new int[] {3, 4, 5}, 1e12))
        .isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(time(levels, failures, new int[] {30_000, 1, 1}, 1e9)).isGreaterThan(1e9);
  }

  @Test
  void refusesWhatDoesNotFit() {
    ExactTime time =
        new ExactTime(
            Platforms.random(new Random(1), 3), FailureModel.EVERYWHERE, RecoveryCost.OWN);
    assertThatThrownBy(() -> time.overhead(List.of(2), 10)).hasMessageContaining("needs 2 counts");
    assertThatThrownBy(() -> time.overhead(List.of(2, 0), 10)).hasMessageContaining("at least 1");
    assertThatThrownBy(() -> time.overhead(List.of(20_000, 20_000), 10))
        .hasMessageContaining("segments per pattern");
    assertThatThrownBy(() -> time.overhead(List.of(2, 2), Double.NaN))
        .hasMessageContaining("lengthSeconds");
  }

  private static double time(
      LevelStack levels, FailureModel failures, int[] counts, double length) {
    return new ExactTime(levels, failures, RecoveryCost.CUMULATIVE).expectedSeconds(counts, length);
  }
}
