package io.cairn.lab.study.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SubsetSelectionTest {
  private static final int INSTANCES = 10_000;

  @ParameterizedTest
  @EnumSource
  void equalsTheBestOfAllSubsets(CostModel costs) {
    for (long seed = 1; seed <= INSTANCES; seed++) {
      Random random = new Random(seed);
      LevelStack levels = Platforms.random(random, 1 + random.nextInt(7));
      double least =
          levels.subsets().stream()
              .mapToDouble(each -> new FirstOrder(levels.select(each, costs)).lowerBound())
              .min()
              .orElseThrow();
      SubsetSelection best = SubsetSelection.best(levels, costs);
      assertThat(best.lowerBound())
          .as("seed %d", seed)
          .isCloseTo(least, Percentage.withPercentage(1e-9));
      assertThat(new FirstOrder(levels.select(best.subset(), costs)).lowerBound())
          .as("seed %d, the subset's own bound", seed)
          .isCloseTo(least, Percentage.withPercentage(1e-9));
    }
  }
}
