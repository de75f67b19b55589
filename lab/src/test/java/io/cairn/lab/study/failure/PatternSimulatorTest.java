package io.cairn.lab.study.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.lab.study.failure.PublishedPatterns.Row;
import io.cairn.lab.study.failure.WeibullFailures.Interval;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class PatternSimulatorTest {
  private static final ExponentialFailures EXPONENTIAL =
      new ExponentialFailures(List.of(1e-3, 4e-4));
  private static final WeibullFailures WEIBULL =
      new WeibullFailures(List.of(new Interval(0.7, 1000), new Interval(0.5, 2500)));

  static List<FailureSource> sources() {
    return List.of(EXPONENTIAL, WEIBULL);
  }

  @ParameterizedTest
  @MethodSource("sources")
  void resultsDoNotDependOnTheNumberOfThreads(FailureSource source) throws InterruptedException {
    SimulationResult alone = simulate(source, new Sampling(5_000, 3, 42, 1));
    assertThat(simulate(source, new Sampling(5_000, 3, 42, 2))).isEqualTo(alone);
    assertThat(simulate(source, new Sampling(5_000, 3, 42, 5))).isEqualTo(alone);
    assertThat(simulate(source, new Sampling(5_000, 3, 43, 2))).isNotEqualTo(alone);
  }

  @ParameterizedTest
  @EnumSource(Exposure.class)
  void aWeibullDistributionOfShapeOneIsExponential(Exposure exposure) throws InterruptedException {
    WeibullFailures shapeOne =
        new WeibullFailures(List.of(new Interval(1, 1000), new Interval(1, 2500)));
    SimulationRules rules = SimulationRules.of(exposure);
    SimulationResult expected =
        new PatternSimulator(pattern(0), EXPONENTIAL, rules).run(Sampling.of(200_000, 1));
    SimulationResult actual =
        new PatternSimulator(pattern(0), shapeOne, rules).run(Sampling.of(200_000, 2));
    double error = Math.hypot(expected.standardErrorSeconds(), actual.standardErrorSeconds());
    assertThat((actual.meanSeconds() - expected.meanSeconds()) / error).isBetween(-4.0, 4.0);
    for (int level = 0; level < 2; level++) {
      double ratio = (double) actual.rollbacks().get(level) / expected.rollbacks().get(level);
      assertThat(ratio).as("rollbacks at index %d", level).isBetween(0.97, 1.03);
    }
  }

  @Test
  void confidenceIntervalsHoldTheExactValueAsOftenAsTheySay() throws InterruptedException {
    Row row = PublishedPatterns.rows().get(100);
    PatternSimulator simulator =
        new PatternSimulator(row.pattern(), row.failures(), SimulationRules.of(row.exposure()));
    int within95 = 0;
    int within99 = 0;
    for (int seed = 0; seed < 1000; seed++) {
      SimulationResult result = simulator.run(Sampling.of(2_000, seed));
      double error = Math.abs(result.overhead() - row.overhead());
      within95 += error <= result.ci95Overhead() ? 1 : 0;
      within99 += error <= result.ci99Overhead() ? 1 : 0;
    }
    assertThat(within95).isBetween(920, 975);
    assertThat(within99).isBetween(975, 999);
  }

  @Test
  void moreRunsTightenTheInterval() throws InterruptedException {
    SimulationResult few = simulate(EXPONENTIAL, Sampling.of(10_000, 1));
    SimulationResult many = simulate(EXPONENTIAL, Sampling.of(160_000, 1));
    assertThat(few.ci95Seconds() / many.ci95Seconds()).isBetween(3.5, 4.5);
  }

  @Test
  void onePatternsMeanIsThatOfManyWhereFailuresHaveNoMemory() throws InterruptedException {
    SimulationRules rules = SimulationRules.of(Exposure.EVERYWHERE);
    PatternSimulator simulator = new PatternSimulator(pattern(0), EXPONENTIAL, rules);
    SimulationResult single = simulator.run(new Sampling(200_000, 1, 1, 2));
    SimulationResult ten = simulator.run(new Sampling(20_000, 10, 2, 2));
    assertThat(ten.workSeconds()).isEqualTo(10 * single.workSeconds());
    double error = Math.hypot(10 * single.standardErrorSeconds(), ten.standardErrorSeconds());
    assertThat((ten.meanSeconds() - 10 * single.meanSeconds()) / error).isBetween(-4.0, 4.0);
  }

  @Test
  void aSingleRunHasNoInterval() throws InterruptedException {
    SimulationResult result = simulate(EXPONENTIAL, Sampling.of(1, 1));
    assertThat(result.ci95Seconds()).isNaN();
  }

  @Test
  void aPatternThatFailuresNeverLetEndIsRefused() {
    PatternSimulator simulator =
        new PatternSimulator(
            pattern(0),
            new ExponentialFailures(List.of(1.0)),
            SimulationRules.of(Exposure.EVERYWHERE));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> simulator.run(new Sampling(4, 1, 1, 2)))
        .withMessageContaining("the pattern does not end");
  }

  @Test
  void anInterruptEndsASimulation() {
    PatternSimulator simulator =
        new PatternSimulator(pattern(0), EXPONENTIAL, SimulationRules.of(Exposure.EVERYWHERE));
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> simulator.run(Sampling.of(1_000_000_000_000L, 1)))
        .isInstanceOf(InterruptedException.class);
  }

  private static SimulationResult simulate(FailureSource source, Sampling sampling)
      throws InterruptedException {
    SimulationRules rules = SimulationRules.of(Exposure.EVERYWHERE);
    return new PatternSimulator(pattern(150), source, rules).run(sampling);
  }

  private static SimulatedPattern pattern(double flushSeconds) {
    return SimulatedPattern.nested(
        List.of(SimulatedLevel.blocking(1, 2, 2), new SimulatedLevel(2, 10, 20, flushSeconds, 0.1)),
        Collections.nCopies(1, 4),
        400);
  }
}
