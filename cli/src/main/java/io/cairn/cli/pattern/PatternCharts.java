package io.cairn.cli.pattern;

import io.cairn.cli.Units;
import io.cairn.cli.chart.Charts;
import io.cairn.cli.chart.Pictures;
import io.cairn.core.pattern.CheckpointLevel;
import io.cairn.core.pattern.CheckpointPattern;
import io.cairn.core.pattern.EvaluatedPattern;
import io.cairn.core.pattern.LevelStack;
import io.cairn.core.pattern.PatternAssumptions;
import io.cairn.core.pattern.PatternCalculator;
import io.cairn.core.pattern.PatternReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.knowm.xchart.XYChart;

/** The charts of a report: overhead over length, overhead over MTBF, and the pattern to scale. */
final class PatternCharts {
  private static final int POINTS = 61;
  private static final int PLATFORMS = 31;

  /** Overheads beyond this are off the charts. */
  private static final double MOST = 20;

  private final LevelStack levels;
  private final PatternAssumptions assumptions;
  private final PatternReport report;

  PatternCharts(LevelStack levels, PatternAssumptions assumptions, PatternReport report) {
    this.levels = levels;
    this.assumptions = assumptions;
    this.report = report;
  }

  List<Path> save(Pictures pictures) throws IOException {
    List<Path> files = new ArrayList<>();
    files.addAll(pictures.save("overhead-over-length", overLength()));
    files.addAll(pictures.save("overhead-over-mtbf", overMtbf()));
    PatternDrawing drawing = new PatternDrawing(levels, report.best().pattern(), assumptions);
    files.addAll(pictures.save("pattern", PatternDrawing.WIDTH, drawing.height(), drawing::draw));
    return files;
  }

  /** The same subset and counts at other lengths; the points are the patterns of the report. */
  private XYChart overLength() {
    CheckpointPattern best = report.best().pattern();
    XYChart chart =
        Charts.xy(
            "Overhead over the pattern's length: levels "
                + best.subset()
                + ", counts "
                + best.counts(),
            "work per pattern",
            "overhead in %");
    chart.getStyler().setXAxisLogarithmic(true);
    chart.getStyler().setXAxisTickLabelsFormattingFunction(Units::seconds);
    PatternCalculator calculator = new PatternCalculator(levels, assumptions);
    List<EvaluatedPattern> stretched =
        factors(0.125, 8, POINTS)
            .mapToObj(factor -> stretch(best, factor))
            .map(calculator::evaluate)
            .toList();
    ToDoubleFunction<EvaluatedPattern> length = each -> each.pattern().lengthSeconds();
    line(chart, "first order", stretched, length, EvaluatedPattern::firstOrder);
    line(chart, "exact", stretched, length, EvaluatedPattern::exact);
    point(chart, "this pattern", report.best());
    return chart;
  }

  private static CheckpointPattern stretch(CheckpointPattern pattern, double factor) {
    return new CheckpointPattern(
        pattern.subset(), pattern.counts(), factor * pattern.lengthSeconds());
  }

  /** The platform with all its MTBFs multiplied: the best patterns, and what they really cost. */
  private XYChart overMtbf() {
    XYChart chart =
        Charts.xy(
            "Overhead over the platform's MTBF, shares of the levels unchanged",
            "mean time between failures of any level",
            "overhead in %");
    chart.getStyler().setXAxisLogarithmic(true);
    chart.getStyler().setYAxisLogarithmic(true);
    chart.getStyler().setXAxisTickLabelsFormattingFunction(Units::seconds);
    List<PatternReport> reports = new ArrayList<>();
    List<Double> mtbfs = new ArrayList<>();
    factors(0.1, 10, PLATFORMS)
        .forEach(
            factor -> {
              LevelStack platform = scaled(factor);
              mtbfs.add(1 / platform.failuresPerSecond());
              reports.add(new PatternCalculator(platform, assumptions).calculate());
            });
    overMtbf(chart, "first order's promise", mtbfs, reports, r -> r.firstOrder().firstOrder());
    overMtbf(chart, "first order's pattern", mtbfs, reports, r -> r.firstOrder().exact());
    overMtbf(chart, "exact optimum", mtbfs, reports, r -> r.exact().exact());
    overMtbf(chart, "Young/Daly", mtbfs, reports, r -> r.youngDaly().exact());
    return chart;
  }

  private LevelStack scaled(double factor) {
    return new LevelStack(
        levels.levels().stream()
            .map(
                level ->
                    new CheckpointLevel(
                        level.name(),
                        level.failuresPerSecond() / factor,
                        level.checkpointSeconds(),
                        level.recoverySeconds()))
            .toList());
  }

  private static DoubleStream factors(double least, double most, int points) {
    return DoubleStream.iterate(0, i -> i < points, i -> i + 1)
        .map(i -> least * Math.pow(most / least, i / (points - 1)));
  }

  private static void overMtbf(
      XYChart chart,
      String name,
      List<Double> mtbfs,
      List<PatternReport> reports,
      ToDoubleFunction<PatternReport> overhead) {
    List<double[]> points = new ArrayList<>();
    for (int i = 0; i < reports.size(); i++) {
      points.add(new double[] {mtbfs.get(i), overhead.applyAsDouble(reports.get(i))});
    }
    line(chart, name, points);
  }

  private static void line(
      XYChart chart,
      String name,
      List<EvaluatedPattern> patterns,
      ToDoubleFunction<EvaluatedPattern> x,
      ToDoubleFunction<EvaluatedPattern> overhead) {
    line(
        chart,
        name,
        patterns.stream()
            .map(each -> new double[] {x.applyAsDouble(each), overhead.applyAsDouble(each)})
            .toList());
  }

  private static void line(XYChart chart, String name, List<double[]> points) {
    List<double[]> shown = points.stream().filter(each -> each[1] <= MOST).toList();
    if (!shown.isEmpty()) {
      Charts.line(
          chart,
          name,
          shown.stream().mapToDouble(each -> each[0]).toArray(),
          shown.stream().mapToDouble(each -> 100 * each[1]).toArray());
    }
  }

  private static void point(XYChart chart, String name, EvaluatedPattern pattern) {
    if (pattern.exact() <= MOST) {
      Charts.points(
          chart,
          name,
          new double[] {pattern.pattern().lengthSeconds()},
          new double[] {100 * pattern.exact()});
    }
  }
}
