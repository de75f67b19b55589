package io.cairn.lab.study.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.pattern.NonBlockingLevel;
import io.cairn.core.pattern.NonBlockingPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** The model that trainings use agrees with the older models where these apply. */
class NonBlockingAgreementTest {
  private static final Percentage CLOSE = Percentage.withPercentage(1e-7);

  /** Two levels, flushes of whole segments, recoveries that are tried again: Sato's model. */
  @RepeatedTest(100)
  void equalsTheTwoLevelModel(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    int segments = 1 + random.nextInt(12);
    int flush = 1 + random.nextInt(segments);
    double rate1 = Platforms.logUniform(random, 1e-6, 1e-3);
    double rate2 = rate1 * random.nextDouble();
    double work = Platforms.logUniform(random, 1, 0.2 / rate1);
    double stop = Platforms.logUniform(random, 0.1, 20);
    double alpha = 0.3 * random.nextDouble();
    double recovery1 = 20 * random.nextDouble();
    double recovery2 = 200 * random.nextDouble();
    double flushSeconds = flush * ((1 + alpha) * work + stop);
    TwoLevelPlatform platform =
        new TwoLevelPlatform(
            rate1,
            rate2,
            stop,
            recovery1,
            flushSeconds,
            flushSeconds,
            recovery2,
            alpha,
            false,
            false);
    NonBlockingPattern pattern =
        new NonBlockingPattern(
            List.of(
                new NonBlockingLevel("cache", rate1, stop, 0, 0, recovery1),
                new NonBlockingLevel("store", rate2, 0, flushSeconds, alpha, recovery2)));
    assertThat(platform.flushSegments(work)).isEqualTo(flush);
    assertThat(pattern.expectedSeconds(new int[] {segments}, segments * work))
        .as("seed %d", seed)
        .isCloseTo(new TwoLevelClosedForm(platform).nonBlocking(segments, work, flush), CLOSE);
  }

  /** Without flushes and recoveries nothing is left but the atomic chain of stops. */
  @RepeatedTest(50)
  void withoutFlushesItIsTheBlockingPattern(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    LevelStack stack = Platforms.random(random, 1 + random.nextInt(4));
    int[] counts = Platforms.counts(random, stack.size(), 5);
    double length = Platforms.logUniform(random, 10, 0.5 / stack.failuresPerSecond());
    List<NonBlockingLevel> levels = new ArrayList<>();
    List<CheckpointLevel> free = new ArrayList<>();
    for (CheckpointLevel each : stack.levels()) {
      double rate = each.failuresPerSecond();
      double stop = each.checkpointSeconds();
      levels.add(new NonBlockingLevel(each.name(), rate, stop, 0, 0, 0));
      free.add(new CheckpointLevel(each.name(), rate, stop, 0));
    }
    double blocking =
        new ExactTime(
                new LevelStack(free), FailureModel.ATOMIC_CHAIN_EXCEPT_RECOVERY, RecoveryCost.OWN)
            .expectedSeconds(counts, length);
    assertThat(new NonBlockingPattern(levels).expectedSeconds(counts, length))
        .as("seed %d", seed)
        .isCloseTo(blocking, CLOSE);
  }
}
