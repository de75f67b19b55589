package io.cairn.lab.study.reproduce;

import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.study.chart.Charts;
import io.cairn.lab.study.chart.Palette;
import io.cairn.lab.study.pattern.TwoLevelOptimum;
import io.cairn.lab.study.pattern.TwoLevelPlatform;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Figure 15 of the non-blocking paper: the bandwidth of the shared store that efficiency needs. */
final class BandwidthFigure implements Exhibit {
  private static final String ID = "figure-15";
  private static final double[] TARGETS = {0.9, 0.8, 0.7};
  private static final int WIDTH = 1040;
  private static final int HEIGHT = 560;
  private static final int MOST_FAILURES = 16;
  private static final double LEAST_BANDWIDTH = 0.1;
  private static final double GREATEST_BANDWIDTH = 1e5;

  /**
   * The bandwidths that one failure factor needs, in GB/s; NaN where none is enough.
   *
   * @param nonBlocking per target
   * @param blocking per target
   */
  private record Point(int failures, List<Double> nonBlocking, List<Double> blocking) {}

  @Override
  public int steps() {
    return MOST_FAILURES;
  }

  @Override
  public List<Finding> reproduce(Workshop workshop) throws IOException {
    Published.Staging staging = workshop.published().staging();
    List<Point> points = new ArrayList<>();
    for (int failures = 1; failures <= MOST_FAILURES; failures++) {
      points.add(point(staging, failures));
      workshop.step();
    }
    String title = "Figure 15: bandwidth of the shared store that an efficiency needs";
    workshop.pictures().save(ID, chart(title, points));
    add(workshop, points);
    return List.of(
        new Finding(
            ID,
            title,
            workshop.published().source("nonblocking"),
            "Today's shared store writes "
                + staging.bandwidthGigabytesPerSecond()
                + " GB/s. Where a line ends, no shared store is fast enough: level-1 checkpoints"
                + " alone cost more than the efficiency allows.",
            List.of(ID),
            workshop.compare(ID, stated(staging)),
            workshop.published().notes(ID)));
  }

  private static Map<String, Double> stated(Published.Staging staging) {
    return Map.of(
        "efficiency at 16 times the failures, however fast the shared store",
        nonBlocking(staging, MOST_FAILURES, GREATEST_BANDWIDTH),
        "failure factor from which no shared store gives 90 %, non-blocking",
        Bisection.zero(
            1, MOST_FAILURES, f -> TARGETS[0] - nonBlocking(staging, f, GREATEST_BANDWIDTH)));
  }

  private static Point point(Published.Staging staging, int failures) {
    List<Double> nonBlocking =
        IntStream.range(0, TARGETS.length)
            .parallel()
            .mapToDouble(t -> needed(TARGETS[t], b -> nonBlocking(staging, failures, b)))
            .boxed()
            .toList();
    List<Double> blocking =
        IntStream.range(0, TARGETS.length)
            .parallel()
            .mapToDouble(t -> needed(TARGETS[t], b -> blocking(staging, failures, b)))
            .boxed()
            .toList();
    return new Point(failures, nonBlocking, blocking);
  }

  private static double nonBlocking(Published.Staging staging, double failures, double bandwidth) {
    return TwoLevelOptimum.nonBlocking(platform(staging, failures, bandwidth)).efficiency();
  }

  private static double blocking(Published.Staging staging, double failures, double bandwidth) {
    return TwoLevelOptimum.blocking(platform(staging, failures, bandwidth)).efficiency();
  }

  private static TwoLevelPlatform platform(
      Published.Staging staging, double failures, double bandwidth) {
    double flush = staging.flushGigabytes() / bandwidth;
    return staging.platform(failures, flush, staging.overheadFactor());
  }

  private static double needed(double target, DoubleUnaryOperator efficiency) {
    return efficiency.applyAsDouble(GREATEST_BANDWIDTH) < target
        ? Double.NaN
        : Bisection.zero(
            LEAST_BANDWIDTH, GREATEST_BANDWIDTH, b -> efficiency.applyAsDouble(b) - target);
  }

  private static XYChart chart(String title, List<Point> points) {
    XYChart chart =
        Charts.panel(WIDTH, HEIGHT, title, "failures, times today's", "needed bandwidth in GB/s");
    Charts.logarithmicY(chart);
    for (int target = 0; target < TARGETS.length; target++) {
      int index = target;
      String name = String.format(Locale.ROOT, "%.0f %%", 100 * TARGETS[target]);
      line(chart, name + " non-blocking", points, point -> point.nonBlocking().get(index), target)
          .setLineStyle(Palette.solid());
      line(chart, name + " blocking", points, point -> point.blocking().get(index), target)
          .setLineStyle(Palette.dashed());
    }
    return chart;
  }

  private static XYSeries line(
      XYChart chart, String name, List<Point> points, ToDoubleFunction<Point> value, int colour) {
    List<Point> reached =
        points.stream().filter(each -> Double.isFinite(value.applyAsDouble(each))).toList();
    XYSeries series =
        chart.addSeries(
            name,
            reached.stream().mapToDouble(Point::failures).toArray(),
            reached.stream().mapToDouble(value).toArray());
    series.setMarker(SeriesMarkers.CIRCLE).setMarkerColor(Palette.series(colour));
    series.setLineColor(Palette.series(colour));
    return series;
  }

  private static void add(Workshop workshop, List<Point> points) {
    FigureTable table =
        workshop.table(ID, "Needed bandwidth in GB/s; the paper's curves are drawn only");
    for (Point point : points) {
      FigureTable.Row row = table.row().add("failures factor", point.failures());
      for (int target = 0; target < TARGETS.length; target++) {
        String percent = Math.round(100 * TARGETS[target]) + " %";
        row.add(percent + " non-blocking", point.nonBlocking().get(target))
            .add(percent + " blocking", point.blocking().get(target));
      }
    }
  }
}
