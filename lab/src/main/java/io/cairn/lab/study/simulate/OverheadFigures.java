package io.cairn.lab.study.simulate;

import io.cairn.cli.Units;
import io.cairn.lab.study.chart.ChartSheet;
import io.cairn.lab.study.chart.Charts;
import io.cairn.lab.study.chart.Palette;
import io.cairn.lab.study.schedule.Algorithm;
import java.awt.Color;
import java.util.List;
import java.util.stream.IntStream;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws how long algorithms block and think: Figures 6 to 9 of Maurya et al. 2021. */
final class OverheadFigures {
  private static final Algorithm[] COMPARED = {Algorithm.GREEDY, Algorithm.LOCAL_ONLY};
  private static final int MARKER = 4;
  private static final double LEAST_MICROS = .01;

  /**
   * Figures 6 and 7: overhead over snapshots, a panel per cache size, where somebody waits. Without
   * min-time, whose overhead is that of whole chunks.
   */
  ChartSheet overSnapshots(List<TraceReplay> replays) {
    return new ChartSheet(1, replays.stream().map(this::overSnapshots).toList());
  }

  private XYChart overSnapshots(TraceReplay replay) {
    XYChart chart =
        Charts.panel(
            900,
            320,
            "%s, cache of %s per rank".formatted(replay.trace().name(), cache(replay)),
            "snapshot",
            "longer than the optimum (%)");
    chart.getStyler().setDefaultSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
    chart.getStyler().setMarkerSize(MARKER);
    double[] all = SizeFigures.numbers(replay.trace());
    chart.getStyler().setXAxisMin(all[0]);
    chart.getStyler().setXAxisMax(Math.max(all[0] + 1, all[all.length - 1]));
    chart.getStyler().setYAxisMin(0.0);
    int[] shown = shown(replay);
    double[] x = Charts.unaligned(IntStream.of(shown).mapToDouble(at -> all[at]).toArray());
    for (Algorithm algorithm : COMPARED) {
      double[] overhead = replay.overheadPercent(algorithm);
      chart
          .addSeries(
              algorithm.toString(),
              x,
              IntStream.of(shown).mapToDouble(at -> overhead[at]).toArray())
          .setMarker(SeriesMarkers.CIRCLE)
          .setMarkerColor(colour(algorithm));
    }
    return chart;
  }

  /** The snapshots that somebody waits for; where nobody ever does, all. */
  private static int[] shown(TraceReplay replay) {
    double[] optimum = replay.optimumSeconds();
    int[] blocking = IntStream.range(0, optimum.length).filter(at -> optimum[at] > 0).toArray();
    return blocking.length > 0 ? blocking : IntStream.range(0, optimum.length).toArray();
  }

  /** Figures 8 and 9: time to find a plan, by cache size. */
  ChartSheet solveTimes(List<TraceReplay> replays) {
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

  private CategoryChart times(String which, List<TraceReplay> replays) {
    CategoryChart chart =
        Charts.bars(
            640,
            400,
            "Time to a plan, %s, %s".formatted(which, replays.get(0).trace().name()),
            "cache per rank",
            which + " time per plan (µs)");
    chart.getStyler().setYAxisLogarithmic(true);
    chart.getStyler().setYAxisMin(LEAST_MICROS);
    return chart;
  }

  /** Times below the clock's resolution count as one tick; a logarithmic axis has no 0. */
  static double onLogAxis(double micros) {
    return Math.max(LEAST_MICROS, micros);
  }

  /** One colour per algorithm in all figures. */
  static Color colour(Algorithm algorithm) {
    return Palette.series(
        switch (algorithm) {
          case EXACT -> 0;
          case MIN_TIME -> 2;
          case GREEDY -> 1;
          case LOCAL_ONLY -> 3;
        });
  }

  private static String cache(TraceReplay replay) {
    return Units.decimalBytes((double) replay.cacheBytes());
  }
}
