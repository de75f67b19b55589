package io.cairn.lab.study.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TwoLevelChainTest {
  private static final Percentage TOLERANCE = Percentage.withPercentage(1e-7);

  @RepeatedTest(200)
  void equalsTheClosedForm(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    TwoLevelPlatform platform = TwoLevelPlatforms.random(random);
    int segments = 1 + random.nextInt(20);
    int flush = 1 + random.nextInt(segments);
    double work = Platforms.logUniform(random, 10, 0.3 / platform.failuresPerSecond());
    TwoLevelChain chain = new TwoLevelChain(platform);
    TwoLevelClosedForm form = new TwoLevelClosedForm(platform);
    assertThat(chain.nonBlocking(segments, work, flush))
        .as("seed %d, %s", seed, platform)
        .isCloseTo(form.nonBlocking(segments, work, flush), TOLERANCE);
    assertThat(chain.blocking(segments, work))
        .as("seed %d, %s", seed, platform)
        .isCloseTo(form.blocking(segments, work), TOLERANCE);
  }

  /** The efficiency found is not below that of any segments and length of a grid. */
  @RepeatedTest(10)
  void theOptimumIsTheBestOfAGrid(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    TwoLevelPlatform platform = TwoLevelPlatforms.random(new Random(seed));
    TwoLevelClosedForm form = new TwoLevelClosedForm(platform);
    double nonBlocking = TwoLevelOptimum.nonBlocking(platform).efficiency();
    double blocking = TwoLevelOptimum.blocking(platform).efficiency();
    for (int segments = 1; segments <= 60; segments++) {
      for (double work = 1; work < 1e6; work *= 1.05) {
        int flush = platform.flushSegments(work);
        assertThat(segments * work / form.blocking(segments, work))
            .as("seed %d", seed)
            .isLessThanOrEqualTo(blocking * (1 + 1e-9));
        if (flush <= segments) {
          assertThat(segments * work / form.nonBlocking(segments, work, flush))
              .as("seed %d, %d segments of %s s, %s", seed, segments, work, platform)
              .isLessThanOrEqualTo(nonBlocking * (1 + 1e-9));
        }
      }
    }
  }

  @Test
  void flushesSpanWholeSegments() {
    TwoLevelPlatform platform = platform(1e-5, 900);
    assertThat(platform.flushSegments(100 - 1)).isEqualTo(9);
    assertThat(platform.flushSegments(100)).isEqualTo(9);
    assertThat(platform.flushSegments(98)).isEqualTo(10);
    assertThat(platform.flushSegments(5000)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesByName(double bad) {
    assertThatThrownBy(() -> platform(bad, 900)).hasMessageContaining("(l1)");
    assertThatThrownBy(() -> platform(1e-5, bad)).hasMessageContaining("(lat)");
    TwoLevelClosedForm form = new TwoLevelClosedForm(platform(1e-5, 900));
    assertThatThrownBy(() -> form.blocking(2, bad)).hasMessageContaining("(t)");
    assertThatThrownBy(() -> form.blocking(0, 10)).hasMessageContaining("(m)");
    assertThatThrownBy(() -> form.nonBlocking(2, 10, 3)).hasMessageContaining("(F)");
  }

  private static TwoLevelPlatform platform(double rate1, double flush) {
    return new TwoLevelPlatform(rate1, 1e-6, 1, 1, 100, flush, 100, 0, true, false);
  }
}
