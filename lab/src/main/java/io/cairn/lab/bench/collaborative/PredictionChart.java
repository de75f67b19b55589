package io.cairn.lab.bench.collaborative;

import io.cairn.lab.study.chart.ChartSheet;
import io.cairn.lab.study.chart.Charts;
import io.cairn.lab.study.chart.Palette;
import io.cairn.lab.study.schedule.Algorithm;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.knowm.xchart.XYChart;

/** Draws measured against predicted times: above, and how far the one is from the other. */
final class PredictionChart {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 440;

  private final ExecutionFindings findings;

  private PredictionChart(ExecutionFindings findings) {
    this.findings = findings;
  }

  /** A panel with the times, and one with their ratio. */
  static ChartSheet of(ExecutionFindings findings) {
    PredictionChart charts = new PredictionChart(findings);
    return new ChartSheet(2, List.of(charts.times(), charts.ratios()));
  }

  private XYChart times() {
    XYChart chart = Charts.panel(WIDTH, HEIGHT, "Blocking time", "predicted (ms)", "measured (ms)");
    Charts.logarithmicX(chart);
    Charts.logarithmicY(chart);
    double[] ends = {millis(true).min(Double::compare).orElseThrow(), mostMillis()};
    Charts.line(chart, "as predicted", ends, ends).setLineColor(Palette.INK);
    addAll(chart, false);
    return chart;
  }

  private XYChart ratios() {
    XYChart chart =
        Charts.panel(
            WIDTH, HEIGHT, "Measured ÷ predicted", "predicted (ms)", "measured ÷ predicted");
    logarithmicX(chart);
    chart.getStyler().setYAxisMin(0.0);
    double[] ends = {millis(true).min(Double::compare).orElseThrow(), mostMillis()};
    Charts.line(chart, "as predicted", ends, new double[] {1, 1}).setLineColor(Palette.INK);
    addAll(chart, true);
    return chart;
  }

  private static void logarithmicX(XYChart chart) {
    Charts.logarithmicX(chart);
    chart.getStyler().setXAxisLogarithmicDecadeOnly(false);
  }

  private Stream<Double> millis(boolean predicted) {
    return Stream.concat(findings.results().stream(), findings.controls().stream())
        .map(one -> 1e3 * (predicted ? one.predictedSeconds() : one.measuredSeconds()));
  }

  private double mostMillis() {
    return Math.max(
        millis(true).max(Double::compare).orElseThrow(),
        millis(false).max(Double::compare).orElseThrow());
  }

  private void addAll(XYChart chart, boolean ratio) {
    for (Algorithm algorithm : Algorithm.values()) {
      List<Execution> its =
          findings.results().stream().filter(one -> one.algorithm() == algorithm).toList();
      add(chart, algorithm.toString(), its, ratio);
    }
    add(chart, "a link at half rate", findings.controls(), ratio);
  }

  private static void add(XYChart chart, String name, List<Execution> results, boolean ratio) {
    List<Double> x = new ArrayList<>();
    List<Double> y = new ArrayList<>();
    for (Execution one : results) {
      x.add(1e3 * one.predictedSeconds());
      y.add(ratio ? one.measuredOverPredicted() : 1e3 * one.measuredSeconds());
    }
    Charts.points(
        chart,
        name,
        x.stream().mapToDouble(Double::doubleValue).toArray(),
        y.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
