package io.cairn.lab.study.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.study.failure.WeibullFailures.Interval;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The distributions that streams draw from; seeds are fixed. */
class FailureSourceTest {
  private static final int FAILURES = 200_000;

  @Test
  void exponentialFailuresOccurAtTheirLevelsRates() {
    FailureStream stream = FailureStream.of(new ExponentialFailures(List.of(3.0, 0.0, 1.0)));
    stream.startRun(new SplittableRandom(7));
    int[] counts = new int[4];
    double last = 0;
    for (int i = 0; i < FAILURES; i++) {
      counts[stream.nextLevel]++;
      last = stream.nextSeconds;
      stream.advance();
    }
    assertThat(FAILURES / last).isBetween(4 * 0.99, 4 * 1.01);
    assertThat((double) counts[1] / FAILURES).isBetween(0.745, 0.755);
    assertThat(counts[2]).isZero();
  }

  @Test
  void ratesOfZeroMeanNever() {
    FailureStream stream = FailureStream.of(new ExponentialFailures(List.of(0.0, 0.0)));
    stream.startRun(new SplittableRandom(7));
    assertThat(stream.nextSeconds).isInfinite();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.6, 1, 2.5})
  void weibullIntervalsHaveTheirMeanAndTheirShape(double shape) {
    Interval interval = new Interval(shape, 50);
    FailureStream stream = FailureStream.of(new WeibullFailures(List.of(interval)));
    stream.startRun(new SplittableRandom(11));
    double before = 0;
    int withinScale = 0;
    for (int i = 0; i < FAILURES; i++) {
      withinScale += stream.nextSeconds - before <= interval.scaleSeconds() ? 1 : 0;
      before = stream.nextSeconds;
      stream.advance();
    }
    assertThat(before / FAILURES).isBetween(50 * 0.98, 50 * 1.02);
    assertThat((double) withinScale / FAILURES)
        .as("within the scale, at any shape")
        .isBetween(1 - Math.exp(-1) - 0.005, 1 - Math.exp(-1) + 0.005);
  }

  @Test
  void levelsOfAWeibullSourceFailOnTheirOwnAndInOrder() {
    FailureStream stream =
        FailureStream.of(
            new WeibullFailures(List.of(new Interval(0.8, 10), new Interval(1.5, 40))));
    stream.startRun(new SplittableRandom(13));
    double before = 0;
    int second = 0;
    for (int i = 0; i < FAILURES; i++) {
      assertThat(stream.nextSeconds).isGreaterThanOrEqualTo(before);
      before = stream.nextSeconds;
      second += stream.nextLevel == 2 ? 1 : 0;
      stream.advance();
    }
    assertThat((double) second / FAILURES).isBetween(0.195, 0.205);
  }
}
