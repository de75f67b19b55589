package io.cairn.lab.study.simulate;

import io.cairn.lab.study.chart.ChartSheet;
import io.cairn.lab.study.chart.Charts;
import io.cairn.lab.study.chart.Palette;
import io.cairn.lab.study.schedule.Algorithm;
import java.awt.Color;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws sizes, overheads and solver times over the number of devices: Figure 10. */
final class ScaleFigure {
  /** A logarithmic axis has no 0. */
  private static final double LEAST_PERCENT = .1;

  private final List<SwitchStudy.Step> steps;
  private final double[] devices;

  ScaleFigure(List<SwitchStudy.Step> steps) {
    this.steps = steps;
    this.devices = steps.stream().mapToDouble(SwitchStudy.Step::devices).toArray();
  }

  ChartSheet sheet() {
    return new ChartSheet(
        2,
        List.of(
            sizes(),
            times(),
            overheads("every pair linked, no caps", SwitchStudy.Step::uncapped),
            overheads("with egress and ingress caps", SwitchStudy.Step::capped)));
  }

  private XYChart sizes() {
    XYChart chart = chart("Sizes that were drawn", "size (MB)");
    chart.getStyler().setYAxisMin(0.0);
    line(
        chart,
        "greatest",
        step -> step.uncapped().trace().all().max().orElse(0) / 1e6,
        Palette.series(0));
    line(
        chart,
        "mean",
        step -> step.uncapped().trace().all().average().orElse(0) / 1e6,
        Palette.series(1));
    line(
        chart,
        "least",
        step -> step.uncapped().trace().all().min().orElse(0) / 1e6,
        Palette.series(2));
    return chart;
  }

  private XYChart overheads(String which, Function<SwitchStudy.Step, TraceReplay> replay) {
    XYChart chart = chart("Behind an NVSwitch, " + which, "median, longer than the optimum (%)");
    for (Algorithm algorithm : Algorithm.values()) {
      if (algorithm != Algorithm.EXACT) {
        line(
            chart,
            algorithm.toString(),
            step ->
                Math.max(
                    LEAST_PERCENT,
                    Quantiles.of(replay.apply(step).overheadPercent(algorithm)).median()),
            OverheadFigures.colour(algorithm));
      }
    }
    chart.getStyler().setYAxisLogarithmic(true);
    return chart;
  }

  private XYChart times() {
    XYChart chart = chart("Time to a plan", "median time per plan (µs)");
    for (Algorithm algorithm : Algorithm.values()) {
      times(chart, algorithm.toString(), algorithm, SwitchStudy.Step::uncapped);
    }
    times(chart, "exact, with caps", Algorithm.EXACT, SwitchStudy.Step::capped)
        .setLineStyle(Palette.dashed());
    chart.getStyler().setYAxisLogarithmic(true);
    return chart;
  }

  private XYSeries times(
      XYChart chart,
      String name,
      Algorithm algorithm,
      Function<SwitchStudy.Step, TraceReplay> replay) {
    return line(
        chart,
        name,
        step ->
            OverheadFigures.onLogAxis(
                Quantiles.of(replay.apply(step).solveMicros(algorithm)).median()),
        OverheadFigures.colour(algorithm));
  }

  private XYChart chart(String title, String y) {
    XYChart chart = Charts.panel(600, 400, title, "devices", y);
    chart.getStyler().setXAxisMin(0.0);
    return chart;
  }

  private XYSeries line(
      XYChart chart, String name, ToDoubleFunction<SwitchStudy.Step> value, Color colour) {
    XYSeries series = chart.addSeries(name, devices, steps.stream().mapToDouble(value).toArray());
    series.setMarker(SeriesMarkers.CIRCLE).setMarkerColor(colour);
    series.setLineColor(colour).setLineStyle(Palette.solid());
    return series;
  }
}
