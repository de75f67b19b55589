package io.cairn.lab.study.reproduce;

import java.awt.Color;
import java.util.List;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Groups of bars. */
final class BarStyle {
  private BarStyle() {}

  /** Bars that stand on zero, the legend below. */
  static void style(CategoryChart chart) {
    legendBelow(chart.getStyler());
    chart.getStyler().setYAxisMin(0.0);
  }

  static void legendBelow(Styler style) {
    style.setLegendPosition(LegendPosition.OutsideS);
    style.setLegendLayout(LegendLayout.Horizontal);
  }

  static void add(
      CategoryChart chart, String name, List<String> categories, List<Double> values, Color fill) {
    chart.addSeries(name, categories, values).setFillColor(fill);
  }
}
