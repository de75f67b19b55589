package io.cairn.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that tells trouble from noise: no false alarm, and nothing missed. */
class LossWindowTest {
  private static final int LOSSES = 2_000;
  private static final int SERIES = 40;

  /** Losses of a training: a falling curve with steps and noise, its shape drawn from a seed. */
  private static double[] losses(Random random) {
    double scale = Math.pow(10, random.nextInt(7) - 3);
    double speed = random.nextDouble() * 0.01;
    double noise = random.nextDouble() * 0.3;
    int epoch = 20 + random.nextInt(200);
    double[] losses = new double[LOSSES];
    double level = scale;
    for (int k = 0; k < LOSSES; k++) {
      level *= Math.exp(-speed);
      if (k > 0 && k % epoch == 0) {
        // a new epoch or another rate: better by half, or up to twice as bad
        level *= 0.5 + 1.5 * random.nextDouble();
        level = Math.min(level, scale);
      }
      losses[k] = level * Math.exp(noise * random.nextGaussian());
    }
    return losses;
  }

  static LongStream seeds() {
    return LongStream.range(0, SERIES);
  }

  private static LossWindow fed(double[] losses, int count) {
    LossWindow window = new LossWindow(TroubleGuard.DEFAULT);
    for (int k = 0; k < count; k++) {
      window.add(k, losses[k]);
    }
    return window;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noiseDecreaseAndStepsAreNoTrouble(long seed) {
    double[] losses = losses(new Random(seed));
    LossWindow window = new LossWindow(TroubleGuard.DEFAULT);

    for (int k = 0; k < LOSSES; k++) {
      assertThat(window.isTrouble(losses[k]))
          .as("seed %d, iteration %d, loss %s", seed, k, losses[k])
          .isFalse();
      window.add(k, losses[k]);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyExplosionIsFound(long seed) {
    Random random = new Random(seed);
    double[] losses = losses(random);
    for (int trial = 0; trial < 20; trial++) {
      int at = LossWindow.LEAST + random.nextInt(LOSSES - LossWindow.LEAST);
      // a hundredfold, and a loss that matters at all by the floor
      double explosion = 100 * losses[at] * (1 + random.nextDouble()) + 2;

      assertThat(fed(losses, at).isTrouble(explosion))
          .as("seed %d, iteration %d, loss %s instead of %s", seed, at, explosion, losses[at])
          .isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void aLossThatIsNoNumberIsTroubleFromTheFirstOn(double loss) {
    assertThat(new LossWindow(TroubleGuard.DEFAULT).isTrouble(loss)).isTrue();
  }

  @Test
  void tenLossesAreNeededToKnowTheirSpread() {
    IntToDoubleFunction ones = k -> 1;

    assertThat(window(ones, LossWindow.LEAST - 1).isTrouble(1e9)).isFalse();
    assertThat(window(ones, LossWindow.LEAST).isTrouble(1e9)).isTrue();
  }

  @Test
  void theLimitIsTheMedianAndTenSpreads() {
    // the deviation of 0 and the floor are below half the median
    LossWindow even = window(k -> 1, 50);
    assertThat(even.isTrouble(6)).isFalse();
    assertThat(even.isTrouble(6.001)).isTrue();

    // losses 1 to 49 twice around 25: half of them deviate by at most 12
    LossWindow wide = window(k -> k % 49 + 1, 49);
    assertThat(wide.isTrouble(25 + 10 * 1.4826 * 12 - 0.01)).isFalse();
    assertThat(wide.isTrouble(25 + 10 * 1.4826 * 12 + 0.01)).isTrue();

    // small losses differ by less than the floor
    LossWindow small = window(k -> 1e-6, 50);
    assertThat(small.isTrouble(0.99)).isFalse();
    assertThat(small.isTrouble(1.01)).isTrue();
  }

  @Test
  void lossesThatAreTrainedAgainAreForgotten() {
    LossWindow window = window(k -> k < 20 ? 1 : 1000, 50);
    assertThat(window.isTrouble(900)).isFalse();

    window.rewind(19);

    assertThat(window.isTrouble(900)).isTrue();
  }

  private static LossWindow window(IntToDoubleFunction loss, int count) {
    LossWindow window = new LossWindow(TroubleGuard.DEFAULT);
    for (int k = 0; k < count; k++) {
      window.add(k, loss.applyAsDouble(k));
    }
    return window;
  }
}
