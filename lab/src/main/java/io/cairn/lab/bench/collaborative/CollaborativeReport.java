package io.cairn.lab.bench.collaborative;

import io.cairn.lab.measure.Bar;
import io.cairn.lab.measure.Middle;
import io.cairn.lab.schedule.Algorithm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The findings of {@code bench collaborative}; its JSON is these records.
 *
 * @param scale how many times longer everything takes than on the machine that is played; null if
 *     nothing was executed
 * @param algorithms all snapshots of all caches
 * @param negativeControl null if nothing was executed
 * @param verifiedBytes that lay with peers or in host memory and were compared, every one right
 */
record CollaborativeReport(
    @Nullable Double scale,
    List<OfAlgorithm> algorithms,
    List<OfCache> caches,
    @Nullable NegativeControl negativeControl,
    Coordinator coordinator,
    long verifiedBytes) {
  private static final double MOST_RATIO_P50 = 1.10;
  private static final double MOST_RATIO_P95 = 1.25;
  private static final double LEAST_OF_MODEL = 0.9;
  private static final int SPED_UP_MEGABYTES = 160;
  private static final double LEAST_SPEEDUP = 2;
  private static final double CONTROL_TOLERANCE = 0.1;
  private static final double LEAST_CONTROL = 1.5;
  private static final double MOST_PLAN_MILLIS = 100;
  private static final double MOST_ROUND_TRIP_MILLIS = 1;

  /** The median, and what nineteen in twenty do not exceed. */
  record P50P95(double p50, double p95) {
    static P50P95 of(List<Double> values) {
      return new P50P95(Middle.of(values), Middle.quantile(values, 0.95));
    }
  }

  /** The median, and what ninety-nine in a hundred do not exceed. */
  record P50P99(double p50, double p99) {}

  /** The median alone. */
  record P50(double p50) {}

  /**
   * One algorithm.
   *
   * @param blockingMillis measured, each snapshot's being the median of its runs
   * @param measuredOverPredicted of the same
   */
  record OfAlgorithm(String name, P50P95 blockingMillis, P50P95 measuredOverPredicted) {
    static OfAlgorithm of(Algorithm algorithm, List<Execution> results) {
      List<Execution> its = results.stream().filter(one -> one.algorithm() == algorithm).toList();
      return new OfAlgorithm(
          algorithm.toString(),
          P50P95.of(its.stream().map(one -> 1e3 * one.measuredSeconds()).toList()),
          P50P95.of(its.stream().map(Execution::measuredOverPredicted).toList()));
    }
  }

  /**
   * How many times exact is faster than local-only, in the median of the snapshots of one cache.
   *
   * @param modelSpeedup by the plans
   * @param executedSpeedup as measured
   */
  record OfCache(int mb, double modelSpeedup, double executedSpeedup) {
    static OfCache of(int cacheMegabytes, List<Execution> results) {
      List<Double> model = new ArrayList<>();
      List<Double> executed = new ArrayList<>();
      for (Execution exact : of(cacheMegabytes, Algorithm.EXACT, results)) {
        for (Execution local : of(cacheMegabytes, Algorithm.LOCAL_ONLY, results)) {
          if (local.snapshot() == exact.snapshot()) {
            model.add(local.predictedSeconds() / exact.predictedSeconds());
            executed.add(local.measuredSeconds() / exact.measuredSeconds());
          }
        }
      }
      return new OfCache(cacheMegabytes, Middle.of(model), Middle.of(executed));
    }

    private static List<Execution> of(int cache, Algorithm algorithm, List<Execution> results) {
      return results.stream()
          .filter(one -> one.cacheMegabytes() == cache && one.algorithm() == algorithm)
          .toList();
    }
  }

  /**
   * Plans that were executed with a link at half its declared rate, in the median of snapshots.
   *
   * @param predictedRatio the same plans' time over the links as they are, ÷ their own prediction
   * @param measuredRatio measured ÷ their own prediction
   */
  record NegativeControl(double predictedRatio, double measuredRatio) {
    static NegativeControl of(List<Execution> results) {
      return new NegativeControl(
          Middle.of(
              results.stream().map(one -> one.trueSeconds() / one.predictedSeconds()).toList()),
          Middle.of(results.stream().map(Execution::measuredOverPredicted).toList()));
    }
  }

  /** The coordinator alone. */
  record Coordinator(int ranks, P50P99 planMillis, P50 roundTripMillis) {
    static Coordinator of(CoordinatorFindings found) {
      return new Coordinator(
          found.ranks(),
          new P50P99(found.planMillis().p50(), found.planMillis().p99()),
          new P50(found.roundTripMillis().p50()));
    }
  }

  CollaborativeReport {
    algorithms = List.copyOf(algorithms);
    caches = List.copyOf(caches);
  }

  /** Of a coordinator alone. */
  static CollaborativeReport of(CoordinatorFindings coordinator) {
    return new CollaborativeReport(
        null, List.of(), List.of(), null, Coordinator.of(coordinator), 0);
  }

  /** Of everything. */
  static CollaborativeReport of(CoordinatorFindings coordinator, ExecutionFindings executed) {
    return new CollaborativeReport(
        executed.machine().slowdown(),
        Arrays.stream(Algorithm.values())
            .map(algorithm -> OfAlgorithm.of(algorithm, executed.results()))
            .toList(),
        executed.drawings().stream()
            .map(drawing -> OfCache.of(drawing.cacheMegabytes(), executed.results()))
            .toList(),
        NegativeControl.of(executed.controls()),
        Coordinator.of(coordinator),
        executed.verifiedBytes());
  }

  /** The conditions of success. */
  List<Bar> bars() {
    List<Bar> bars = new ArrayList<>();
    for (OfAlgorithm each : algorithms) {
      P50P95 ratio = each.measuredOverPredicted();
      bars.add(
          Bar.atMost(each.name() + ", measured ÷ predicted, p50", ratio.p50(), MOST_RATIO_P50));
      bars.add(
          Bar.atMost(each.name() + ", measured ÷ predicted, p95", ratio.p95(), MOST_RATIO_P95));
    }
    for (OfCache each : caches) {
      bars.add(
          Bar.atLeast(
              each.mb() + " MB, executed ÷ model's speed-up",
              each.executedSpeedup() / each.modelSpeedup(),
              LEAST_OF_MODEL));
      if (each.mb() == SPED_UP_MEGABYTES) {
        bars.add(
            Bar.atLeast(
                each.mb() + " MB, executed speed-up", each.executedSpeedup(), LEAST_SPEEDUP));
      }
    }
    if (negativeControl != null) {
      double predicted = negativeControl.predictedRatio();
      double error = Math.abs(negativeControl.measuredRatio() / predicted - 1);
      bars.add(Bar.atLeast("slow link, predicted ratio", predicted, LEAST_CONTROL));
      bars.add(Bar.atMost("slow link, error of the prediction", error, CONTROL_TOLERANCE));
    }
    bars.add(
        Bar.atMost(
            coordinator.ranks() + " ranks, plan after the last report, ms, p99",
            coordinator.planMillis().p99(),
            MOST_PLAN_MILLIS));
    bars.add(
        Bar.atMost(
            "round trip of a group of 8, ms, p50",
            coordinator.roundTripMillis().p50(),
            MOST_ROUND_TRIP_MILLIS));
    return bars;
  }
}
