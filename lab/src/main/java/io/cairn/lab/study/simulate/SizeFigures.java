package io.cairn.lab.study.simulate;

import io.cairn.lab.study.chart.ChartSheet;
import io.cairn.lab.study.chart.Charts;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.XYChart;

/** Draws how large checkpoints are: Figures 3 to 5 of Maurya et al. 2021 for another trace. */
final class SizeFigures {
  private static final double MEGA = 1e6;
  private static final int REPRESENTATIVES = 5;
  private static final int BINS = 60;

  private static final int WIDTH = 900;
  private static final int HEIGHT = 420;

  /** Figure 3: the least, the mean and the greatest of all ranks, over snapshots. */
  ChartSheet overSnapshots(Trace trace) {
    return new ChartSheet(1, List.of(spread(trace, Charts::line)));
  }

  private XYChart spread(Trace trace, Plot plot) {
    XYChart chart =
        Charts.panel(
            WIDTH,
            HEIGHT,
            "Checkpoint sizes of all ranks, " + trace.name(),
            "snapshot",
            "size (MB)");
    double[] x = Charts.unaligned(numbers(trace));
    plot.add(chart, "greatest", x, megabytes(trace, s -> trace.at(s).max().orElse(0)));
    plot.add(chart, "mean", x, megabytes(trace, s -> trace.at(s).average().orElse(0)));
    plot.add(chart, "least", x, megabytes(trace, s -> trace.at(s).min().orElse(0)));
    chart.getStyler().setYAxisMin(0.0);
    return chart;
  }

  /** Figure 4: all ranks at five snapshots, evenly apart. */
  ChartSheet perRank(Trace trace) {
    CategoryChart chart =
        Charts.bars(
            WIDTH, HEIGHT, "Checkpoint sizes of each rank, " + trace.name(), "rank", "size (MB)");
    double[] ranks = IntStream.range(0, trace.ranks()).asDoubleStream().toArray();
    int[] chosen =
        IntStream.range(0, REPRESENTATIVES)
            .map(i -> (2 * i + 1) * trace.snapshots() / (2 * REPRESENTATIVES))
            .distinct()
            .toArray();
    for (int snapshot : chosen) {
      chart.addSeries(
          "snapshot " + trace.number(snapshot),
          ranks,
          trace.at(snapshot).mapToDouble(bytes -> bytes / MEGA).toArray());
    }
    return new ChartSheet(1, List.of(chart));
  }

  /** Figure 5: the sizes that were drawn, beside those of the trace that they are like. */
  ChartSheet drawn(Trace measured, Trace drawn) {
    XYChart shares =
        Charts.panel(
            WIDTH,
            HEIGHT,
            "How often which size occurs",
            "size (MB)",
            "share of all checkpoints (%)");
    double widest = measured.all().max().orElse(0) / MEGA;
    for (Trace trace : List.of(measured, drawn)) {
      double[] x = new double[BINS];
      Arrays.setAll(x, bin -> (bin + .5) * widest / BINS);
      Charts.line(shares, trace.name(), Charts.unaligned(x), shares(trace, widest));
    }
    shares.getStyler().setYAxisMin(0.0);
    return new ChartSheet(1, List.of(shares, spread(drawn, Charts::points)));
  }

  private static double[] shares(Trace trace, double widest) {
    double[] shares = new double[BINS];
    double each = 100.0 / trace.all().count();
    trace
        .all()
        .forEach(
            bytes -> {
              double at = widest == 0 ? 0 : bytes / MEGA / widest;
              shares[(int) Math.min(BINS - 1, at * BINS)] += each;
            });
    return shares;
  }

  private interface Plot {
    void add(XYChart chart, String name, double[] x, double[] y);
  }

  private interface Size {
    double of(int snapshot);
  }

  private static double[] megabytes(Trace trace, Size size) {
    return IntStream.range(0, trace.snapshots()).mapToDouble(s -> size.of(s) / MEGA).toArray();
  }

  static double[] numbers(Trace trace) {
    return IntStream.range(0, trace.snapshots())
        .mapToDouble(s -> (double) trace.number(s))
        .toArray();
  }
}
