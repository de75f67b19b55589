package io.cairn.lab.bench.collaborative;

import io.cairn.lab.bench.collaborative.WorkerSetting.SlowLink;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.Middle;
import io.cairn.lab.study.schedule.Algorithm;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The figures of {@code bench collaborative}, and their bars. */
final class CollaborativeFigures {
  private static final double MOST_RATIO_P50 = 1.10;
  private static final double MOST_RATIO_P95 = 1.25;
  private static final double LEAST_OF_MODEL = 0.9;
  private static final int SPED_UP_MEGABYTES = 160;
  private static final double LEAST_SPEEDUP = 2;
  private static final double CONTROL_TOLERANCE = 0.1;
  private static final double LEAST_CONTROL = 1.5;
  private static final double MOST_PLAN_MILLIS = 100;
  private static final double MOST_ROUND_TRIP_MILLIS = 1;

  private final BenchReport report;

  /** Adds to a report. */
  CollaborativeFigures(BenchReport report) {
    this.report = report;
  }

  /** Adds a coordinator alone. */
  void add(CoordinatorFindings found) {
    FigureTable times =
        report.table(
            "the coordinator alone: a plan after the last report of all ranks; a round trip, from"
                + " asking until a rank has its answer, for which all must have asked");
    times
        .row()
        .add("what", "plan")
        .add("ranks", found.ranks())
        .quantiles("time", found.planMillis())
        .add("heap bytes per report that waits", found.waitingBytes())
        .add("per rank afterwards", found.keptBytes());
    times
        .row()
        .add("what", "round trip")
        .add("ranks", found.processes())
        .quantiles("time", found.roundTripMillis());
    report.atMost(
        found.ranks() + " ranks, plan after the last report, ms, p99",
        found.planMillis().p99(),
        MOST_PLAN_MILLIS);
    report.atMost(
        "round trip of a group of 8, ms, p50",
        found.roundTripMillis().p50(),
        MOST_ROUND_TRIP_MILLIS);
  }

  /** Adds all that was executed. */
  void add(ExecutionFindings found) {
    PlayedMachine machine = found.machine();
    report
        .table(
            "the machine as it is played: how many times longer all takes, the bytes that stand for"
                + " 1 MB, the shortest plan, what all links together carry and one thread copies"
                + " here; bytes that were verified, all of them right")
        .row()
        .add("slow-down", machine.slowdown())
        .add("bytes for 1 MB", machine.chunkBytes())
        .add("shortest plan ms", 1e3 * found.leastPredictedSeconds())
        .add("links bytes/s", machine.bytesPerSecond())
        .add("copied bytes/s", found.copyBytesPerSecond())
        .add("verified bytes", found.verifiedBytes());
    addCaches(found);
    addAlgorithms(found.results());
    addControl(found);
  }

  private void addCaches(ExecutionFindings found) {
    FigureTable caches =
        report.table(
            "how many times exact is faster than local-only: medians of the snapshots drawn of one"
                + " cache");
    for (Drawing drawing : found.drawings()) {
      List<Double> model = new ArrayList<>();
      List<Double> executed = new ArrayList<>();
      for (Execution exact : of(drawing, Algorithm.EXACT, found.results())) {
        for (Execution local : of(drawing, Algorithm.LOCAL_ONLY, found.results())) {
          if (local.snapshot() == exact.snapshot()) {
            model.add(local.predictedSeconds() / exact.predictedSeconds());
            executed.add(local.measuredSeconds() / exact.measuredSeconds());
          }
        }
      }
      double byPlan = Middle.of(model);
      double speedup = Middle.of(executed);
      int megabytes = drawing.cacheMegabytes();
      caches
          .row()
          .add("cache MB", megabytes)
          .add("snapshots that share", drawing.shared())
          .add("of them long enough", drawing.eligible())
          .add("drawn", drawing.moments().size())
          .add("model's speed-up", byPlan)
          .add("executed", speedup);
      report.atLeast(
          megabytes + " MB, executed ÷ model's speed-up", speedup / byPlan, LEAST_OF_MODEL);
      if (megabytes == SPED_UP_MEGABYTES) {
        report.atLeast(megabytes + " MB, executed speed-up", speedup, LEAST_SPEEDUP);
      }
    }
  }

  private static List<Execution> of(Drawing drawing, Algorithm algorithm, List<Execution> results) {
    return results.stream()
        .filter(one -> one.cacheMegabytes() == drawing.cacheMegabytes())
        .filter(one -> one.algorithm() == algorithm)
        .toList();
  }

  private void addAlgorithms(List<Execution> results) {
    FigureTable algorithms =
        report.table("all snapshots of all caches, each by the median of its runs");
    for (Algorithm algorithm : Algorithm.values()) {
      List<Execution> its = results.stream().filter(one -> one.algorithm() == algorithm).toList();
      List<Double> millis = figures(its, one -> 1e3 * one.measuredSeconds());
      List<Double> ratios = figures(its, Execution::measuredOverPredicted);
      double p50 = Middle.of(ratios);
      double p95 = Middle.quantile(ratios, 0.95);
      algorithms
          .row()
          .add("algorithm", algorithm.toString())
          .add("blocking p50 ms", Middle.of(millis))
          .add("p95 ms", Middle.quantile(millis, 0.95))
          .add("measured ÷ predicted p50", p50)
          .add("p95", p95);
      report.atMost(algorithm + ", measured ÷ predicted, p50", p50, MOST_RATIO_P50);
      report.atMost(algorithm + ", measured ÷ predicted, p95", p95, MOST_RATIO_P95);
    }
  }

  private void addControl(ExecutionFindings found) {
    SlowLink slow = found.slowed();
    double predicted =
        Middle.of(figures(found.controls(), one -> one.trueSeconds() / one.predictedSeconds()));
    double measured = Middle.of(figures(found.controls(), Execution::measuredOverPredicted));
    report
        .table(
            "the link from %d to %d at %.1f of its rate: how many times as long as declared"
                + " plans of %s take, medians of snapshots",
            slow.from(), slow.to(), slow.factor(), Algorithm.EXACT)
        .row()
        .add("predicted", predicted)
        .add("measured", measured);
    report.atLeast("slow link, predicted ratio", predicted, LEAST_CONTROL);
    report.atMost(
        "slow link, error of the prediction",
        Math.abs(measured / predicted - 1),
        CONTROL_TOLERANCE);
  }

  private static List<Double> figures(List<Execution> results, ToDoubleFunction<Execution> of) {
    return results.stream().mapToDouble(of).boxed().toList();
  }
}
