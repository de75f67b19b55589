package io.cairn.lab.study.reproduce;

import static io.cairn.lab.study.reproduce.EfficiencyFigure.FACTORS;

import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.study.chart.ChartSheet;
import io.cairn.lab.study.chart.Charts;
import io.cairn.lab.study.chart.Palette;
import io.cairn.lab.study.pattern.TwoLevelOptimum;
import io.cairn.lab.study.pattern.TwoLevelPlatform;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Figure 14 of the non-blocking paper: efficiency over the overhead factor of a flush. */
final class OverheadFactorFigure implements Exhibit {
  private static final String ID = "figure-14";
  private static final int POINTS = 13;
  private static final double FIRST = 1e-3;
  private static final double LAST = 10;
  private static final int WIDTH = 540;
  private static final int HEIGHT = 420;

  /** Both efficiencies of a platform, over the factors. */
  private record Curve(int failures, int cost, double blocking, List<Double> nonBlocking) {}

  @Override
  public int steps() {
    return FACTORS.size() * FACTORS.size();
  }

  @Override
  public List<Finding> reproduce(Workshop workshop) throws IOException {
    double[] factors = factors();
    List<Curve> curves = new ArrayList<>();
    for (int cost : FACTORS) {
      for (int failures : FACTORS) {
        curves.add(curve(workshop.published().staging(), failures, cost, factors));
        workshop.step();
      }
    }
    new ChartSheet(3, FACTORS.stream().map(cost -> panel(cost, curves, factors)).toList())
        .save(workshop.pictures(), ID);
    add(workshop, curves, factors);
    return List.of(
        new Finding(
            ID,
            "Figure 14: efficiency over the overhead factor of a flush",
            workshop.published().source("nonblocking"),
            summary(workshop.published().staging(), curves),
            List.of(ID),
            List.of(),
            workshop.published().notes(ID)));
  }

  private static double[] factors() {
    double step = Math.log(LAST / FIRST) / (POINTS - 1);
    return IntStream.range(0, POINTS).mapToDouble(at -> FIRST * Math.exp(at * step)).toArray();
  }

  private static Curve curve(Published.Staging staging, int failures, int cost, double[] factors) {
    double flush = cost * staging.flushSeconds();
    TwoLevelPlatform platform = staging.scaled(failures, cost);
    return new Curve(
        failures,
        cost,
        TwoLevelOptimum.blocking(platform).efficiency(),
        Arrays.stream(factors)
            .parallel()
            .map(
                factor ->
                    TwoLevelOptimum.nonBlocking(staging.platform(failures, flush, factor))
                        .efficiency())
            .boxed()
            .toList());
  }

  private static String summary(Published.Staging staging, List<Curve> curves) {
    long overtaken =
        curves.stream()
            .filter(each -> each.nonBlocking().get(POINTS - 1) < each.blocking())
            .count();
    double today = overtaken(staging, curves.get(0));
    return String.format(
        Locale.ROOT,
        "Dashed: blocking, which the factor does not touch. On today's platform blocking is the"
            + " more efficient from a factor of %.1f on, that is, while a flush runs, the"
            + " application takes %.1f times as long. At a factor of 10 it is so on %d of the nine"
            + " platforms.",
        today,
        1 + today,
        overtaken);
  }

  /** The factor from which blocking is the more efficient. */
  private static double overtaken(Published.Staging staging, Curve curve) {
    double flush = curve.cost() * staging.flushSeconds();
    return Bisection.zero(
        FIRST,
        LAST,
        factor ->
            curve.blocking()
                - TwoLevelOptimum.nonBlocking(staging.platform(curve.failures(), flush, factor))
                    .efficiency());
  }

  private static XYChart panel(int cost, List<Curve> curves, double[] factors) {
    XYChart chart =
        Charts.panel(
            WIDTH,
            HEIGHT,
            "Shared store at " + cost + "× its cost",
            "overhead factor",
            "efficiency");
    Charts.logarithmicX(chart);
    chart.getStyler().setYAxisMin(0.0).setYAxisMax(1.0);
    double[] ends = {FIRST, LAST};
    for (Curve curve : curves) {
      if (curve.cost() == cost) {
        int colour = FACTORS.indexOf(curve.failures());
        String name = "F×" + curve.failures();
        line(chart, name, factors, array(curve.nonBlocking()), colour)
            .setLineStyle(Palette.solid());
        double[] level = {curve.blocking(), curve.blocking()};
        line(chart, name + " blocking", ends, level, colour).setLineStyle(Palette.dashed());
      }
    }
    return chart;
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static XYSeries line(XYChart chart, String name, double[] x, double[] y, int colour) {
    XYSeries series = chart.addSeries(name, x, y);
    series.setMarker(SeriesMarkers.NONE);
    series.setLineColor(Palette.series(colour));
    return series;
  }

  private static void add(Workshop workshop, List<Curve> curves, double[] factors) {
    FigureTable table =
        workshop.table(ID, "Efficiency; the paper's curves are drawn only. Last row: blocking");
    for (int at = 0; at < factors.length; at++) {
      FigureTable.Row row = table.row().add("overhead factor", factors[at]);
      for (Curve each : curves) {
        row.add(column(each), each.nonBlocking().get(at));
      }
    }
    FigureTable.Row last = table.row();
    curves.forEach(each -> last.add(column(each), each.blocking()));
  }

  private static String column(Curve curve) {
    return "F×" + curve.failures() + " C×" + curve.cost();
  }
}
