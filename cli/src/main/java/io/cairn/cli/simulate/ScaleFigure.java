package io.cairn.cli.simulate;

import io.cairn.cli.chart.ChartSheet;
import io.cairn.cli.chart.ChartStyle;
import io.cairn.cli.schedule.Algorithm;
import java.awt.Color;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws sizes, overheads and solver times over the number of devices: Figure 10. */
final class ScaleFigure {
  private final ChartStyle style = new ChartStyle(600, 400);
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
    line(
        chart,
        "greatest",
        step -> step.uncapped().trace().all().max().orElse(0) / 1e6,
        ChartStyle.colour(0));
    line(
        chart,
        "mean",
        step -> step.uncapped().trace().all().average().orElse(0) / 1e6,
        ChartStyle.colour(1));
    line(
        chart,
        "least",
        step -> step.uncapped().trace().all().min().orElse(0) / 1e6,
        ChartStyle.colour(2));
    return chart;
  }

  private XYChart overheads(String which, Function<SwitchStudy.Step, Replay> replay) {
    XYChart chart =
        chart("Behind an NVSwitch, " + which, "blocks longer than the optimum, median (%)");
    for (Algorithm algorithm : Algorithm.values()) {
      if (algorithm != Algorithm.EXACT) {
        line(
            chart,
            algorithm.toString(),
            step -> Quantiles.of(replay.apply(step).overheadPercent(algorithm)).median(),
            OverheadFigures.colour(algorithm));
      }
    }
    return chart;
  }

  private XYChart times() {
    XYChart chart = chart("Time to a plan, no caps", "median time per plan (µs)");
    for (Algorithm algorithm : Algorithm.values()) {
      line(
          chart,
          algorithm.toString(),
          step ->
              OverheadFigures.onLogAxis(
                  Quantiles.of(step.uncapped().solveMicros(algorithm)).median()),
          OverheadFigures.colour(algorithm));
    }
    chart.getStyler().setYAxisMin((Double) null);
    chart.getStyler().setYAxisLogarithmic(true);
    return chart;
  }

  private XYChart chart(String title, String y) {
    XYChart chart = style.xy(title, "devices", y);
    AxesChartStyler styler = chart.getStyler();
    styler.setYAxisMin(0.0);
    styler.setXAxisMin(0.0);
    return chart;
  }

  private void line(
      XYChart chart, String name, ToDoubleFunction<SwitchStudy.Step> value, Color colour) {
    chart
        .addSeries(name, devices, steps.stream().mapToDouble(value).toArray())
        .setMarker(SeriesMarkers.CIRCLE)
        .setMarkerColor(colour)
        .setLineColor(colour)
        .setLineStyle(ChartStyle.line());
  }
}
