package io.cairn.lab.bench.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.bench.BenchCommand;
import io.cairn.lab.bench.flow.Forks;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.study.pattern.CheckpointPattern;
import io.cairn.lab.study.pattern.FailureModel;
import io.cairn.lab.study.pattern.PatternReport;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** The bars, and that the benchmarks do what they say. */
class PatternBenchmarksTest {
  private static BenchReport report(boolean quick, double micros, double events) {
    BenchReport report = new BenchReport("pattern");
    PatternBenchmarks found = new PatternBenchmarks(quick, report, line -> {});
    Forks.Score score = new Forks.Score(micros, null, null, null);
    found.add("evaluation", FourLevels.SET_B, FailureModel.EVERYWHERE, score, 2);
    found.add(FourLevels.SET_B, FailureModel.EVERYWHERE, events);
    return report;
  }

  @Test
  void barsDecide() {
    assertThat(report(false, 2, 10e6).passed()).isTrue();
    assertThat(report(false, 2.1, 10e6).passed()).isFalse();
    assertThat(report(false, 2, 9.9e6).passed()).isFalse();
    assertThat(report(true, 2.1, 9.9e6).passed()).isTrue();
  }

  @Test
  void tablesSayWhatIsNotMet() {
    assertThat(String.join("\n", report(false, 2.1, 12.34e6).lines()))
        .contains("2.10", "NOT MET", "12.3");
    assertThat(String.join("\n", report(true, 1, 12e6).lines())).contains("A quick run");
  }

  @ParameterizedTest
  @EnumSource(FailureModel.class)
  void whatIsTimedIsAPatternAndItsTime(FailureModel failures) {
    PatternBenchmark benchmark = new PatternBenchmark();
    benchmark.platform = FourLevels.CASE_A;
    benchmark.failures = failures;
    benchmark.prepare();
    PatternReport report = benchmark.optimum();
    assertThat(report.best().exact()).isBetween(0.3, 0.6);
    double first = benchmark.evaluation();
    assertThat(benchmark.evaluation()).isGreaterThan(first);
    CheckpointPattern pattern =
        new CheckpointPattern(List.of(1, 2, 3, 4), FourLevels.countsOf24(), 1);
    assertThat(pattern.segments()).isEqualTo(24);
  }

  @Test
  void aSimulationHasAtLeastTheEventsOfItsPattern() throws InterruptedException {
    // 24 segments; 24, 8, 4 and 1 checkpoints; 10 000 runs
    assertThat(SimulationBenchmark.events(FourLevels.SET_B, FailureModel.EVERYWHERE))
        .isGreaterThan(10_000 * (24 + 24 + 8 + 4 + 1));
  }

  @Test
  void theCommandIsOneOfTheBenchmarks() {
    assertThat(new CommandLine(new BenchCommand()).getSubcommands()).containsKey("pattern");
    assertThat(new CommandLine(new BenchPatternCommand()).getUsageMessage()).contains("--quick");
  }
}
