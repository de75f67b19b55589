package io.cairn.lab.study.reproduce;

import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.study.chart.Charts;
import io.cairn.lab.study.chart.Palette;
import java.awt.Color;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.CategoryChart;

/** Overheads of cases by approach: Figures 5 and 6. */
final class CasesFigure {
  private static final int HEIGHT = 480;

  private CasesFigure() {}

  static CategoryChart chart(String title, int width, List<CaseResult> cases) {
    CategoryChart chart = Charts.bars(width, HEIGHT, title, "", "overhead in %");
    BarStyle.style(chart);
    Color youngDaly = Palette.series(0);
    Color firstOrder = Palette.series(1);
    add(chart, cases, "Young/Daly, simulated", youngDaly, each -> each.youngDaly().overhead());
    add(
        chart,
        cases,
        "Young/Daly, by its theory",
        Palette.tint(youngDaly),
        each -> each.youngDaly().pattern().firstOrder());
    add(chart, cases, "first order, simulated", firstOrder, each -> each.firstOrder().overhead());
    add(
        chart,
        cases,
        "first order, by its theory",
        Palette.tint(firstOrder),
        each -> each.firstOrder().pattern().firstOrder());
    add(
        chart,
        cases,
        "exact optimum, simulated",
        Palette.series(2),
        each -> each.best().overhead());
    return chart;
  }

  private static void add(
      CategoryChart chart,
      List<CaseResult> cases,
      String name,
      Color fill,
      ToDoubleFunction<CaseResult> value) {
    BarStyle.add(
        chart,
        name,
        cases.stream().map(CaseResult::name).toList(),
        cases.stream().map(each -> 100 * value.applyAsDouble(each)).toList(),
        fill);
  }

  /** The numbers of a figure. */
  static void add(Workshop workshop, String name, List<CaseResult> cases) {
    FigureTable table = workshop.table(name, "What the figure shows");
    for (CaseResult each : cases) {
      row(table, each.name(), "Young/Daly", each.youngDaly());
      row(table, each.name(), "first order", each.firstOrder());
      row(table, each.name(), "exact optimum", each.best());
    }
  }

  private static void row(
      FigureTable table, String name, String approach, CaseResult.Simulated simulated) {
    table
        .row()
        .add("case", name)
        .add("approach", approach)
        .add("levels", simulated.pattern().pattern().subset().toString())
        .add("counts", simulated.pattern().pattern().counts().toString())
        .add("length seconds", simulated.pattern().pattern().lengthSeconds())
        .add("simulated", simulated.overhead())
        .add("simulated ci95", simulated.simulation().ci95Overhead())
        .add("exact", simulated.pattern().exact())
        .add("theoretical", simulated.pattern().firstOrder());
  }
}
