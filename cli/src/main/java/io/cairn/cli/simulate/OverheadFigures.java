package io.cairn.cli.simulate;

import io.cairn.cli.Units;
import io.cairn.cli.chart.ChartSheet;
import io.cairn.cli.chart.ChartStyle;
import io.cairn.cli.schedule.Algorithm;
import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws how long algorithms block and think: Figures 6 to 9 of Maurya et al. 2021. */
final class OverheadFigures {
  private static final Algorithm[] COMPARED = {Algorithm.GREEDY, Algorithm.LOCAL_ONLY};
  private static final int MARKER = 4;
  private static final double LEAST_MICROS = .01;

  private final ChartStyle wide = new ChartStyle(900, 320);
  private final ChartStyle narrow = new ChartStyle(560, 420);

  /** Figures 6 and 7: overhead over snapshots, a panel per cache size. */
  ChartSheet overSnapshots(List<Replay> replays) {
    List<XYChart> panels = new ArrayList<>();
    for (Replay replay : replays) {
      XYChart chart =
          wide.xy(
              "%s, cache of %s per rank".formatted(replay.trace().name(), cache(replay)),
              "snapshot",
              "blocks longer than the optimum (%)");
      chart.getStyler().setDefaultSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
      chart.getStyler().setMarkerSize(MARKER);
      double[] x = SizeFigures.numbers(replay.trace());
      for (Algorithm algorithm : COMPARED) {
        chart
            .addSeries(algorithm.toString(), x, replay.overheadPercent(algorithm))
            .setMarker(SeriesMarkers.CIRCLE)
            .setMarkerColor(colour(algorithm));
      }
      chart.getStyler().setYAxisMin(0.0);
      panels.add(chart);
    }
    return new ChartSheet(1, panels);
  }

  /** Figures 8 and 9: time to find a plan, by cache size. */
  ChartSheet solveTimes(List<Replay> replays) {
    CategoryChart medians = times("median", replays);
    CategoryChart maxima = times("longest", replays);
    for (Algorithm algorithm : Algorithm.values()) {
      List<String> caches = replays.stream().map(OverheadFigures::cache).toList();
      List<Quantiles> times =
          replays.stream().map(each -> Quantiles.of(each.solveMicros(algorithm))).toList();
      medians.addSeries(
          algorithm.toString(),
          caches,
          times.stream().map(each -> onLogAxis(each.median())).toList());
      maxima.addSeries(
          algorithm.toString(), caches, times.stream().map(each -> onLogAxis(each.max())).toList());
      medians.getSeries(algorithm.toString()).setFillColor(colour(algorithm));
      maxima.getSeries(algorithm.toString()).setFillColor(colour(algorithm));
    }
    return new ChartSheet(2, List.of(medians, maxima));
  }

  private CategoryChart times(String which, List<Replay> replays) {
    CategoryChart chart =
        narrow.bars(
            "Time to a plan, %s, %s".formatted(which, replays.get(0).trace().name()),
            "cache per rank",
            which + " time per plan (µs)");
    chart.getStyler().setYAxisLogarithmic(true);
    chart.getStyler().setYAxisMin(LEAST_MICROS);
    return chart;
  }

  /** Times below what the clock can tell are as long as that; a logarithmic axis has no 0. */
  static double onLogAxis(double micros) {
    return Math.max(LEAST_MICROS, micros);
  }

  /** One colour per algorithm in all figures. */
  static Color colour(Algorithm algorithm) {
    return ChartStyle.colour(
        switch (algorithm) {
          case EXACT -> 0;
          case MIN_TIME -> 2;
          case GREEDY -> 1;
          case LOCAL_ONLY -> 3;
        });
  }

  private static String cache(Replay replay) {
    return Units.decimalBytes((double) replay.cacheBytes());
  }
}
