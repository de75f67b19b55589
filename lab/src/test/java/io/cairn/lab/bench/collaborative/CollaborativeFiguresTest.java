package io.cairn.lab.bench.collaborative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.cairn.lab.bench.collaborative.WorkerSetting.SlowLink;
import io.cairn.lab.measure.Bar;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.Samples.Quantiles;
import io.cairn.lab.study.schedule.Algorithm;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CollaborativeFiguresTest {
  private static final Quantiles FAST = new Quantiles(0.5, 0.8, 0.9);

  private static CoordinatorFindings coordinator(Quantiles plan) {
    return new CoordinatorFindings(10_000, plan, 8, FAST, 800, 1);
  }

  /** Three snapshots: local-only takes three times as long as all others. */
  private static List<Execution> results(double exactRatio) {
    List<Execution> results = new ArrayList<>();
    for (long snapshot = 1; snapshot <= 3; snapshot++) {
      for (Algorithm algorithm : Algorithm.values()) {
        double predicted = snapshot * (algorithm == Algorithm.LOCAL_ONLY ? 3 : 1);
        double ratio = algorithm == Algorithm.EXACT ? exactRatio : 1;
        results.add(
            new Execution(160, snapshot, algorithm, predicted, predicted, ratio * predicted, 10));
      }
    }
    return results;
  }

  private static BenchReport report(double exactRatio, double controlRatio) {
    BenchReport report = new BenchReport("collaborative");
    CollaborativeFigures figures = new CollaborativeFigures(report);
    figures.add(coordinator(FAST));
    figures.add(
        new ExecutionFindings(
            new PlayedMachine(8, 1000, 150),
            1e9,
            List.of(new Drawing(160, List.of(), 5, 4)),
            new SlowLink(0, 1, 0.5),
            results(exactRatio),
            List.of(new Execution(160, 1, Algorithm.EXACT, 1, 2, controlRatio, 7))));
    return report;
  }

  private static List<String> missed(BenchReport report) {
    return report.bars().stream().filter(bar -> !bar.met()).map(Bar::name).toList();
  }

  @Test
  void figuresAreMediansOfSnapshots() {
    BenchReport report = report(1.05, 2.1);

    FigureTable.Row played = report.tables().get(1).rows().get(0);
    assertThat(played.number("slow-down")).isEqualTo(150);
    assertThat(played.number("shortest plan ms")).isEqualTo(1000);
    assertThat(played.number("copied bytes/s")).isEqualTo(1e9);
    assertThat(played.get("verified bytes")).isEqualTo(127L);
    FigureTable.Row cache = report.tables().get(2).rows().get(0);
    assertThat(cache.number("model's speed-up")).isCloseTo(3, within(1e-9));
    assertThat(cache.number("executed")).isCloseTo(3 / 1.05, within(1e-9));
    FigureTable.Row exact = report.tables().get(3).rows().get(0);
    assertThat(exact.get("algorithm")).isEqualTo("exact");
    assertThat(exact.number("blocking p50 ms")).isCloseTo(2100, within(1e-6));
    assertThat(exact.number("p95 ms")).isCloseTo(3150, within(1e-6));
    assertThat(missed(report)).isEmpty();
  }

  @Test
  void whatIsMissedIsNamed() {
    assertThat(missed(report(1.6, 2)))
        .containsExactlyInAnyOrder(
            "exact, measured ÷ predicted, p50",
            "exact, measured ÷ predicted, p95",
            "160 MB, executed ÷ model's speed-up",
            "160 MB, executed speed-up");
    assertThat(missed(report(1, 1))).containsExactly("slow link, error of the prediction");
    BenchReport slow = new BenchReport("collaborative");
    new CollaborativeFigures(slow).add(coordinator(new Quantiles(90, 101, 120)));
    assertThat(missed(slow)).containsExactly("10000 ranks, plan after the last report, ms, p99");
  }

  @Test
  void runsOfOnePlanAreOneResult() {
    List<Execution> runs = new ArrayList<>();
    for (double seconds : new double[] {3, 1, 2}) {
      runs.add(new Execution(80, 5, Algorithm.GREEDY, 1.5, 1.5, seconds, 100));
    }
    assertThat(Execution.median(runs))
        .isEqualTo(new Execution(80, 5, Algorithm.GREEDY, 1.5, 1.5, 2, 300));
    runs.add(new Execution(80, 5, Algorithm.GREEDY, 1.6, 1.6, 2, 100));
    assertThatIllegalArgumentException().isThrownBy(() -> Execution.median(runs));
  }
}
