package io.cairn.lab.study.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class PatternCalculatorTest {
  private static final Percentage CLOSE = Percentage.withPercentage(1e-6);
  private static final LevelStack HEALTHY =
      new LevelStack(
          List.of(
              CheckpointLevel.ofMtbf("local", 36000, 10, 10),
              CheckpointLevel.ofMtbf("partner", 72000, 30, 30),
              CheckpointLevel.ofMtbf("xor", 144000, 50, 50),
              CheckpointLevel.ofMtbf("pfs", 720000, 150, 150)));
  private static final LevelStack SICK =
      new LevelStack(
          List.of(
              CheckpointLevel.ofMtbf("local", 216, 50, 50),
              CheckpointLevel.ofMtbf("pfs", 1440, 300, 300)));

  /** No counts and length of a fine grid, of any subset, do better than what the search found. */
  @RepeatedTest(12)
  void theOptimumIsTheBestOfAGrid(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    LevelStack levels = Platforms.random(random, 1 + random.nextInt(3));
    PatternAssumptions assumptions =
        new PatternAssumptions(
            List.of(CostModel.values()).get(random.nextInt(2)),
            List.of(FailureModel.values()).get(random.nextInt(3)),
            List.of(RecoveryCost.values()).get(random.nextInt(2)));
    EvaluatedPattern best = new PatternCalculator(levels, assumptions).calculate().best();
    for (List<Integer> subset : levels.subsets()) {
      LevelStack selected = levels.select(subset, assumptions.costs());
      ExactTime time = new ExactTime(selected, assumptions.failures(), assumptions.recovery());
      double middle = best.pattern().lengthSeconds();
      for (int code = 0; code < Math.pow(24, selected.size() - 1); code++) {
        int[] counts = selected.size() == 3 ? new int[] {1 + code % 24, 1 + code / 24} : one(code);
        counts = selected.size() == 1 ? new int[0] : counts;
        for (double factor = 0.05; factor < 20; factor *= 1.1) {
          double length = middle * factor;
          assertThat(time.expectedSeconds(counts, length) / length - 1)
              .as("seed %d, %s, %s, subset %s, length %s", seed, levels, counts, subset, length)
              .isGreaterThanOrEqualTo(best.exact() * (1 - 1e-9));
        }
      }
    }
  }

  private static int[] one(int code) {
    return new int[] {1 + code};
  }

  @RepeatedTest(30)
  void theExactOptimumIsNeverWorseThanFirstOrder(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    PatternReport report =
        new PatternCalculator(Platforms.random(new Random(seed), 4), PatternAssumptions.DEFAULT)
            .calculate();
    assertThat(report.best()).isEqualTo(report.exact());
    assertThat(PatternReport.loss(report.firstOrder(), report.exact()))
        .as("seed %d", seed)
        .isBetween(0.0, 1.0);
    assertThat(report.alternatives())
        .as("seed %d", seed)
        .hasSize(7)
        .allMatch(each -> each.exact() >= report.best().exact());
  }

  @Test
  void saysWhenFirstOrderMisleads() {
    PatternReport sick = new PatternCalculator(SICK, PatternAssumptions.DEFAULT).calculate();
    assertThat(PatternReport.misleads(sick.firstOrder(), sick.exact())).isTrue();
    assertThat(PatternReport.loss(sick.firstOrder(), sick.exact())).isGreaterThan(0.25);
    assertThat(sick.notes())
        .anyMatch(note -> note.startsWith("first order misleads"))
        .anyMatch(note -> note.startsWith("more time goes into"));
    PatternReport healthy = new PatternCalculator(HEALTHY, PatternAssumptions.DEFAULT).calculate();
    assertThat(PatternReport.misleads(healthy.firstOrder(), healthy.exact())).isFalse();
    assertThat(healthy.notes()).isEmpty();
  }

  /** Recoveries that take 50 times the MTBF, or 5000: some e^50 tries, or too many for a double. */
  @Test
  void hopelessPlatformsAreCalledThat() {
    for (double recovery : new double[] {50, 5000}) {
      LevelStack hopeless = new LevelStack(List.of(CheckpointLevel.ofMtbf("disk", 1, 5, recovery)));
      PatternReport report =
          new PatternCalculator(hopeless, PatternAssumptions.DEFAULT).calculate();
      assertThat(report.best().exact()).isGreaterThan(1e20);
      assertThat(Double.isFinite(report.best().exact())).isEqualTo(recovery < 100);
      assertThat(report.notes()).noneMatch(note -> note.contains("NaN"));
      assertThat(report.notes()).anyMatch(note -> note.startsWith("more time goes into"));
    }
  }

  @Test
  void whatIsGivenStays() {
    PatternCalculator calculator = new PatternCalculator(HEALTHY, PatternAssumptions.DEFAULT);
    for (Optimizer optimizer : Optimizer.values()) {
      CheckpointPattern subset =
          calculator
              .calculate(optimizer, new PatternRestriction(List.of(2, 4), null, null))
              .best()
              .pattern();
      assertThat(subset.subset()).containsExactly(2, 4);
      CheckpointPattern all =
          calculator
              .calculate(optimizer, new PatternRestriction(List.of(2, 4), List.of(9), 5000.0))
              .best()
              .pattern();
      assertThat(all).isEqualTo(new CheckpointPattern(List.of(2, 4), List.of(9), 5000));
      CheckpointPattern length =
          calculator
              .calculate(optimizer, new PatternRestriction(null, null, 4000.0))
              .best()
              .pattern();
      assertThat(length.lengthSeconds()).isEqualTo(4000);
    }
  }

  /** Leaving a level out costs nothing extra, or what it would have added. */
  @Test
  void incrementalCostsAddUp() {
    LevelStack independent = HEALTHY.select(List.of(2, 4), CostModel.INDEPENDENT);
    LevelStack incremental = HEALTHY.select(List.of(2, 4), CostModel.INCREMENTAL);
    assertThat(independent.level(1).checkpointSeconds()).isEqualTo(30);
    assertThat(independent.level(2).checkpointSeconds()).isEqualTo(150);
    assertThat(incremental.level(1).checkpointSeconds()).isEqualTo(40);
    assertThat(incremental.level(2).checkpointSeconds()).isEqualTo(200);
    assertThat(independent.level(1).failuresPerSecond()).isCloseTo(1 / 24000.0, CLOSE);
    assertThat(independent.failuresPerSecond()).isCloseTo(HEALTHY.failuresPerSecond(), CLOSE);
  }

  @Test
  void refusesByName() {
    PatternCalculator calculator = new PatternCalculator(HEALTHY, PatternAssumptions.DEFAULT);
    assertThatThrownBy(() -> calculate(calculator, List.of(1, 2), null))
        .hasMessageContaining("leaves out the highest level, 4");
    assertThatThrownBy(() -> calculate(calculator, List.of(2, 1, 4), null))
        .hasMessageContaining("must rise");
    assertThatThrownBy(() -> calculate(calculator, List.of(4, 5), null))
        .hasMessageContaining("levels from 1 to 4");
    assertThatThrownBy(() -> calculate(calculator, List.of(1, 4), List.of(1, 2)))
        .hasMessageContaining("needs 1 counts");
    assertThatThrownBy(() -> new PatternRestriction(null, List.of(1), null))
        .hasMessageContaining("need the subset");
    assertThatThrownBy(() -> new PatternRestriction(null, null, -5.0))
        .hasMessageContaining("lengthSeconds");
  }

  private static PatternReport calculate(
      PatternCalculator calculator, List<Integer> subset, @Nullable List<Integer> counts) {
    return calculator.calculate(Optimizer.EXACT, new PatternRestriction(subset, counts, null));
  }
}
