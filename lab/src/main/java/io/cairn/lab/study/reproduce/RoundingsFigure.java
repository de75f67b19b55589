package io.cairn.lab.study.reproduce;

import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.study.chart.Charts;
import io.cairn.lab.study.chart.Palette;
import io.cairn.lab.study.chart.Pictures;
import java.awt.Color;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.CategoryChart;

/** Overheads of the best and the worst rounding of each subset: Figures 3 and 4. */
final class RoundingsFigure {
  private static final int WIDTH = 1240;
  private static final int HEIGHT = 560;
  private static final int LABEL_DEGREES = 30;

  private final String name;
  private final List<String> labels = new ArrayList<>();
  private final List<TableRow> drawn = new ArrayList<>();

  RoundingsFigure(String name, List<TableRow> computed) {
    this.name = name;
    Map<List<Integer>, List<TableRow>> subsets = new LinkedHashMap<>();
    for (TableRow row : computed) {
      subsets.computeIfAbsent(row.printed().subset(), subset -> new ArrayList<>()).add(row);
    }
    for (List<TableRow> rows : subsets.values()) {
      rows.sort(Comparator.comparingDouble(row -> row.pattern().exact()));
      add(rows.get(0), rows.size() == 1 ? "" : "best");
      if (rows.size() > 1) {
        add(rows.get(rows.size() - 1), "worst");
      }
    }
  }

  private void add(TableRow row, String which) {
    labels.add(which);
    drawn.add(row);
  }

  void save(Pictures pictures, String title) throws IOException {
    CategoryChart chart =
        Charts.bars(WIDTH, HEIGHT, title, "levels, and checkpoints of each", "overhead in %");
    BarStyle.style(chart);
    chart.getStyler().setXAxisLabelRotation(LABEL_DEGREES);
    Color simulated = Palette.series(0);
    Color firstOrder = Palette.series(1);
    bars(chart, "simulated, ours", simulated, TableRow::simulated);
    bars(
        chart,
        "simulated, printed",
        Palette.tint(simulated),
        row -> printed(row.printed().simulated()));
    bars(chart, "first order, ours", firstOrder, row -> row.pattern().firstOrder());
    bars(
        chart,
        "first order, printed",
        Palette.tint(firstOrder),
        row -> printed(row.printed().theoretical()));
    pictures.save(name, chart);
  }

  void addTo(Workshop workshop) {
    FigureTable table = workshop.table(name, "What the figure shows");
    for (int index = 0; index < drawn.size(); index++) {
      TableRow row = drawn.get(index);
      table
          .row()
          .add("levels", row.printed().levelsText())
          .add("checkpoints", row.printed().totalsText())
          .add("rounding", labels.get(index))
          .add("simulated", row.simulated())
          .add("simulated printed", row.printed().simulated())
          .add("theoretical", row.pattern().firstOrder())
          .add("theoretical printed", row.printed().theoretical());
    }
  }

  private void bars(
      CategoryChart chart, String series, Color fill, ToDoubleFunction<TableRow> value) {
    BarStyle.add(
        chart,
        series,
        drawn.stream().map(row -> row.printed().name()).toList(),
        drawn.stream().map(row -> 100 * value.applyAsDouble(row)).toList(),
        fill);
  }

  private static double printed(String text) {
    return Double.parseDouble(text);
  }
}
