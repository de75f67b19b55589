package io.cairn.lab.study.calculate;

import io.cairn.lab.study.chart.Charts;
import io.cairn.lab.study.chart.Pictures;
import io.cairn.lab.study.chart.TimeAxis;
import io.cairn.lab.study.pattern.CheckpointLevel;
import io.cairn.lab.study.pattern.CheckpointPattern;
import io.cairn.lab.study.pattern.EvaluatedPattern;
import io.cairn.lab.study.pattern.LevelStack;
import io.cairn.lab.study.pattern.PatternAssumptions;
import io.cairn.lab.study.pattern.PatternCalculator;
import io.cairn.lab.study.pattern.PatternReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
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

  /** The same subset and counts at other lengths; the point is the report's pattern. */
  private XYChart overLength() {
    CheckpointPattern best = report.best().pattern();
    PatternCalculator calculator = new PatternCalculator(levels, assumptions);
    List<EvaluatedPattern> stretched =
        factors(0.125, 8, POINTS)
            .mapToObj(factor -> calculator.evaluate(stretch(best, factor)))
            .toList();
    double[] lengths =
        stretched.stream().mapToDouble(each -> each.pattern().lengthSeconds()).toArray();
    TimeAxis.Unit unit = TimeAxis.unit(lengths);
    XYChart chart =
        Charts.xy(
            "Overhead over the pattern's length: levels %s, counts %s"
                .formatted(best.subset(), best.counts()),
            "work per pattern in " + unit.symbol(),
            "overhead in %");
    Charts.logarithmicX(chart);
    double[] x = unit.of(lengths);
    line(chart, "first order", x, stretched, EvaluatedPattern::firstOrder);
    line(chart, "exact", x, stretched, EvaluatedPattern::exact);
    if (report.best().exact() <= MOST) {
      Charts.points(
          chart,
          "this pattern",
          unit.of(new double[] {best.lengthSeconds()}),
          new double[] {100 * report.best().exact()});
    }
    return chart;
  }

  private static CheckpointPattern stretch(CheckpointPattern pattern, double factor) {
    return new CheckpointPattern(
        pattern.subset(), pattern.counts(), factor * pattern.lengthSeconds());
  }

  /** The platform with all its MTBFs multiplied: the best patterns, and what they really cost. */
  private XYChart overMtbf() {
    List<LevelStack> platforms = factors(0.1, 10, PLATFORMS).mapToObj(this::scaled).toList();
    List<PatternReport> reports =
        platforms.stream()
            .map(each -> new PatternCalculator(each, assumptions).calculate())
            .toList();
    double[] mtbfs = platforms.stream().mapToDouble(each -> 1 / each.failuresPerSecond()).toArray();
    TimeAxis.Unit unit = TimeAxis.unit(mtbfs);
    XYChart chart =
        Charts.xy(
            "Overhead over the platform's MTBF, shares of the levels unchanged",
            "mean time between failures of any level in " + unit.symbol(),
            "overhead in %");
    Charts.logarithmicX(chart);
    Charts.logarithmicY(chart);
    double[] x = unit.of(mtbfs);
    line(chart, "first order's promise", x, reports, each -> each.firstOrder().firstOrder());
    line(chart, "first order's pattern", x, reports, each -> each.firstOrder().exact());
    line(chart, "exact optimum", x, reports, each -> each.exact().exact());
    line(chart, "Young/Daly", x, reports, each -> each.youngDaly().exact());
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

  /** A line over {@code x}, without the points that are off the chart. */
  private static <T> void line(
      XYChart chart, String name, double[] x, List<T> of, ToDoubleFunction<T> overhead) {
    double[] y = of.stream().mapToDouble(overhead).toArray();
    int[] shown = IntStream.range(0, y.length).filter(i -> y[i] <= MOST).toArray();
    if (shown.length > 0) {
      Charts.line(
          chart,
          name,
          IntStream.of(shown).mapToDouble(i -> x[i]).toArray(),
          IntStream.of(shown).mapToDouble(i -> 100 * y[i]).toArray());
    }
  }
}
