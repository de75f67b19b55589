package io.cairn.lab.study.chart;

import java.awt.Color;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Charts of lines, points and bars in the style of the house; the legend is never on the data. */
public final class Charts {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 520;

  private Charts() {}

  /** A chart without series, both axes linear, its legend below. */
  public static XYChart xy(String title, String xTitle, String yTitle) {
    XYChart chart = empty(WIDTH, HEIGHT, title, xTitle, yTitle);
    chart.getStyler().setLegendPosition(LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(LegendLayout.Horizontal);
    chart.getStyler().setMarkerSize(9);
    chart.getStyler().setXAxisLogarithmicDecadeOnly(false);
    chart.getStyler().setYAxisLogarithmicDecadeOnly(false);
    return chart;
  }

  /** A panel of a {@link ChartSheet} for lines and points, its legend to the right. */
  public static XYChart panel(int width, int height, String title, String xTitle, String yTitle) {
    XYChart chart = empty(width, height, title, xTitle, yTitle);
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    chart.getStyler().setMarkerSize(5);
    chart.getStyler().setYAxisTickLabelsFormattingFunction(Charts::plain);
    return chart;
  }

  /** A panel of a {@link ChartSheet} for bars, its legend to the right. */
  public static CategoryChart bars(
      int width, int height, String title, String xTitle, String yTitle) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(width)
            .height(height)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    style(chart.getStyler());
    chart.getStyler().setAvailableSpaceFill(.8);
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    chart.getStyler().setYAxisTickLabelsFormattingFunction(Charts::plain);
    return chart;
  }

  /** Makes the horizontal axis logarithmic. */
  public static void logarithmicX(XYChart chart) {
    chart.getStyler().setXAxisLogarithmic(true);
    chart.getStyler().setXAxisTickLabelsFormattingFunction(Charts::logarithmicLabel);
  }

  /** Makes the vertical axis logarithmic. */
  public static void logarithmicY(XYChart chart) {
    chart.getStyler().setYAxisLogarithmic(true);
    chart.getStyler().setYAxisTickLabelsFormattingFunction(Charts::logarithmicLabel);
  }

  /** Only 1, 2, 3 and 5 of a decade have room for their labels. */
  private static String logarithmicLabel(double value) {
    long first = Math.round(value / Math.pow(10, Math.floor(Math.log10(value * (1 + 1e-9)))));
    return first == 1 || first == 2 || first == 3 || first == 5
        ? BigDecimal.valueOf(value).round(new MathContext(3)).stripTrailingZeros().toPlainString()
        : " ";
  }

  /** Adds a line. */
  public static XYSeries line(XYChart chart, String name, double[] x, double[] y) {
    XYSeries series = chart.addSeries(name, x, y);
    series.setMarker(SeriesMarkers.NONE);
    series.setLineStyle(Palette.solid());
    return series;
  }

  /** Adds points without a line. */
  public static XYSeries points(XYChart chart, String name, double[] x, double[] y) {
    XYSeries series = chart.addSeries(name, x, y);
    series.setXYSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
    series.setMarker(SeriesMarkers.CIRCLE);
    return series;
  }

  /**
   * Values for an axis with its marks at round numbers. XChart marks data itself where it is
   * equally spaced, however odd its numbers are; this moves one value by less than can be seen.
   *
   * @param x rising
   */
  public static double[] unaligned(double[] x) {
    double[] moved = x.clone();
    if (x.length > 2) {
      moved[1] += Math.max(1e-3, 1e-3 * (x[1] - x[0]));
    }
    return moved;
  }

  private static XYChart empty(int width, int height, String title, String xTitle, String yTitle) {
    XYChart chart =
        new XYChartBuilder()
            .width(width)
            .height(height)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    style(chart.getStyler());
    return chart;
  }

  private static void style(AxesChartStyler style) {
    style.setLocale(Locale.ROOT);
    style.setChartBackgroundColor(Color.WHITE);
    style.setPlotBackgroundColor(Color.WHITE);
    style.setPlotBorderVisible(false);
    style.setPlotGridLinesColor(Palette.FAINT);
    style.setChartFontColor(Palette.INK);
    style.setAxisTickLabelsColor(Palette.INK);
    style.setAxisTickMarksColor(Palette.INK);
    style.setChartTitleFont(Palette.TITLE);
    style.setChartTitleBoxVisible(false);
    style.setAxisTitleFont(Palette.TEXT);
    style.setAxisTickLabelsFont(Palette.TEXT);
    style.setLegendFont(Palette.TEXT);
    style.setLegendBorderColor(Color.WHITE);
    style.setSeriesColors(Palette.all());
    style.setChartPadding(14);
  }

  /** Without an exponent, and no more decimals than it takes. */
  private static String plain(double value) {
    return Math.abs(value) >= 1000
        ? String.format(Locale.ROOT, "%,.0f", value).replace(',', '\u2009')
        : BigDecimal.valueOf(value).round(new MathContext(4)).stripTrailingZeros().toPlainString();
  }
}
