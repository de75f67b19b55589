package io.cairn.lab.study.reproduce;

import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.study.chart.ChartSheet;
import io.cairn.lab.study.chart.Charts;
import io.cairn.lab.study.chart.Palette;
import io.cairn.lab.study.pattern.WasteModel;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.knowm.xchart.XYChart;

/** Figure 3c of the heterogeneous paper: best interval and waste over the time between failures. */
final class WasteFigure implements Exhibit {
  private static final String ID = "figure-3c";
  private static final double[] MTBFS = {150, 300, 540, 600, 900, 1800, 3420, 3600};
  private static final String INTERVAL_ORIGINAL =
      "best interval in minutes, original, failures once an hour";
  private static final String WASTE_ORIGINAL = "waste, original, failures once an hour";
  private static final String INTERVAL_ASYNCHRONOUS =
      "best interval in minutes, asynchronous, failures once an hour";
  private static final String WASTE_ASYNCHRONOUS = "waste, asynchronous, failures once an hour";
  private static final String WASTE_ORIGINAL_3420 = "waste, original, failures every 3420 s";
  private static final String WASTE_ASYNCHRONOUS_540 = "waste, asynchronous, failures every 540 s";
  private static final double HOUR = 3600;
  private static final double WASTE = 0.15;
  private static final int POINTS = 40;
  private static final int WIDTH = 640;
  private static final int HEIGHT = 420;

  @Override
  public int steps() {
    return 1;
  }

  @Override
  public List<Finding> reproduce(Workshop workshop) throws IOException {
    WasteModel original = workshop.published().waste().original();
    WasteModel asynchronous = workshop.published().waste().asynchronous();
    new ChartSheet(
            2,
            List.of(
                intervals(workshop.published(), original, asynchronous),
                wastes(workshop.published(), original, asynchronous)))
        .save(workshop.pictures(), ID);
    add(workshop, original, asynchronous);
    workshop.step();
    return List.of(
        new Finding(
            ID,
            "Figure 3c: best interval and waste over the time between failures",
            workshop.published().source("heterogeneous"),
            "Asynchronous checkpoints keep the waste of the original ones when failures come more"
                + " than six times as often.",
            List.of(ID),
            workshop.compare(ID, stated(original, asynchronous)),
            workshop.published().notes(ID)));
  }

  private static Map<String, Double> stated(WasteModel original, WasteModel asynchronous) {
    Map<String, Double> ours = new LinkedHashMap<>();
    ours.put(INTERVAL_ORIGINAL, original.optimalPeriodSeconds(HOUR) / 60);
    ours.put(WASTE_ORIGINAL, waste(original, HOUR));
    ours.put(INTERVAL_ASYNCHRONOUS, asynchronous.optimalPeriodSeconds(HOUR) / 60);
    ours.put(WASTE_ASYNCHRONOUS, waste(asynchronous, HOUR));
    ours.put(WASTE_ORIGINAL_3420, waste(original, 3420));
    ours.put(WASTE_ASYNCHRONOUS_540, waste(asynchronous, 540));
    ours.put(
        "how much more often may failures come for the same waste of 15 %",
        mtbfOf(original) / mtbfOf(asynchronous));
    return ours;
  }

  private static double waste(WasteModel model, double mtbf) {
    return model.waste(model.optimalPeriodSeconds(mtbf), mtbf);
  }

  private static double leastWaste(WasteModel model, double mtbf) {
    return model.waste(model.leastWastePeriodSeconds(mtbf), mtbf);
  }

  /** The time between failures at which a version wastes 15 %. */
  private static double mtbfOf(WasteModel model) {
    return Bisection.zero(100, 10_000, mtbf -> WASTE - waste(model, mtbf));
  }

  private static XYChart intervals(
      Published published, WasteModel original, WasteModel asynchronous) {
    XYChart chart = chart("Best interval", "interval in s");
    add(chart, "original", 0, original::optimalPeriodSeconds);
    add(chart, "asynchronous", 1, asynchronous::optimalPeriodSeconds);
    add(chart, "asynchronous, least waste", 2, asynchronous::leastWastePeriodSeconds);
    points(
        chart,
        60,
        new double[] {HOUR, HOUR},
        published.printed(ID, INTERVAL_ORIGINAL, INTERVAL_ASYNCHRONOUS));
    return chart;
  }

  private static XYChart wastes(Published published, WasteModel original, WasteModel asynchronous) {
    XYChart chart = chart("Waste at that interval", "waste in %");
    add(chart, "original", 0, mtbf -> 100 * waste(original, mtbf));
    add(chart, "asynchronous", 1, mtbf -> 100 * waste(asynchronous, mtbf));
    add(chart, "asynchronous, least waste", 2, mtbf -> 100 * leastWaste(asynchronous, mtbf));
    points(
        chart,
        100,
        new double[] {HOUR, HOUR, 3420, 540},
        published.printed(
            ID, WASTE_ORIGINAL, WASTE_ASYNCHRONOUS, WASTE_ORIGINAL_3420, WASTE_ASYNCHRONOUS_540));
    return chart;
  }

  private static void points(XYChart chart, double unit, double[] x, double[] printed) {
    double[] y = DoubleStream.of(printed).map(value -> unit * value).toArray();
    Charts.points(chart, "printed", x, y).setMarkerColor(Palette.series(4));
  }

  private static XYChart chart(String title, String y) {
    XYChart chart = Charts.panel(WIDTH, HEIGHT, title, "time between failures in s", y);
    BarStyle.legendBelow(chart.getStyler());
    chart.getStyler().setMarkerSize(8);
    chart.getStyler().setXAxisMin(0.0).setYAxisMin(0.0);
    return chart;
  }

  private static void add(XYChart chart, String name, int colour, DoubleUnaryOperator value) {
    double[] x =
        IntStream.rangeClosed(0, POINTS)
            .mapToDouble(at -> MTBFS[0] + (HOUR - MTBFS[0]) * at * at / (POINTS * POINTS))
            .toArray();
    Charts.line(chart, name, x, DoubleStream.of(x).map(value).toArray())
        .setLineColor(Palette.series(colour));
  }

  private static void add(Workshop workshop, WasteModel original, WasteModel asynchronous) {
    FigureTable table = workshop.table(ID, "What the figure shows");
    for (double mtbf : MTBFS) {
      table
          .row()
          .add("mtbf seconds", mtbf)
          .add("original interval seconds", original.optimalPeriodSeconds(mtbf))
          .add("original waste", waste(original, mtbf))
          .add("asynchronous interval seconds", asynchronous.optimalPeriodSeconds(mtbf))
          .add("asynchronous waste", waste(asynchronous, mtbf))
          .add(
              "asynchronous least waste interval seconds",
              asynchronous.leastWastePeriodSeconds(mtbf))
          .add("asynchronous least waste", leastWaste(asynchronous, mtbf));
    }
  }
}
