package io.cairn.lab.study.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class FirstOrderTest {
  private static final Percentage CLOSE = Percentage.withPercentage(1e-9);

  @Test
  void oneLevelIsYoungAndDaly() {
    FirstOrder formulas =
        new FirstOrder(new LevelStack(List.of(new CheckpointLevel("disk", 1e-4, 50, 50))));
    assertThat(formulas.rationalLength()).isCloseTo(Math.sqrt(2 * 50 / 1e-4), CLOSE);
    assertThat(formulas.lowerBound()).isCloseTo(Math.sqrt(2 * 50 * 1e-4), CLOSE);
    assertThat(formulas.roundings()).containsExactly(List.of());
    assertThat(formulas.rationalTotals()).containsExactly(1.0);
  }

  /** Theorem 1 for two levels is Theorem 2; its length belongs to its counts. */
  @Test
  void twoLevelsAreTheorem1() {
    LevelStack levels =
        new LevelStack(
            List.of(
                new CheckpointLevel("local", 2.78e-4, 20, 20),
                new CheckpointLevel("disk", 4.63e-5, 50, 50)));
    FirstOrder formulas = new FirstOrder(levels);
    double n = Math.sqrt(2.78e-4 / 4.63e-5 * 50 / 20);
    assertThat(formulas.rationalCounts()).hasSize(1);
    assertThat(formulas.rationalCounts().get(0)).isCloseTo(n, CLOSE);
    assertThat(formulas.rationalLength())
        .isCloseTo(Math.sqrt((n * 20 + 50) / (0.5 * (2.78e-4 / n + 4.63e-5))), CLOSE);
  }

  /** 5 is 5 although √25 of doubles may not be; the set {2, 4} of set B in the paper is such. */
  @Test
  void countsThatAreWholeAreNotRoundedTwice() {
    LevelStack levels =
        new LevelStack(
            List.of(
                CheckpointLevel.ofMtbf("two", 24000, 30, 30),
                CheckpointLevel.ofMtbf("four", 120000, 150, 150)));
    assertThat(new FirstOrder(levels).roundings()).containsExactly(List.of(5));
  }

  @RepeatedTest(100)
  void noRoundingIsBelowTheBound(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    FirstOrder formulas = new FirstOrder(Platforms.random(random, 1 + random.nextInt(5)));
    double previous = formulas.lowerBound() * (1 - 1e-12);
    for (List<Integer> counts : formulas.roundings()) {
      double overhead = formulas.overhead(counts);
      double length = formulas.length(counts);
      assertThat(overhead).as("seed %d, %s", seed, counts).isGreaterThanOrEqualTo(previous);
      assertThat(formulas.overhead(counts, length)).isCloseTo(overhead, CLOSE);
      assertThat(formulas.overhead(counts, 1.3 * length)).isGreaterThan(overhead);
      assertThat(formulas.overhead(counts, 0.7 * length)).isGreaterThan(overhead);
      previous = overhead;
    }
  }

  @RepeatedTest(50)
  void totalsAreProductsOfCounts(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    FirstOrder formulas = new FirstOrder(Platforms.random(new Random(seed), 4));
    List<Double> totals = formulas.rationalTotals();
    List<Double> counts = formulas.rationalCounts();
    for (int index = 0; index < 3; index++) {
      assertThat(totals.get(index))
          .as("seed %d", seed)
          .isCloseTo(counts.get(index) * totals.get(index + 1), CLOSE);
    }
  }
}
