package io.cairn.cli.chart;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Charts of lines and points in the style of the house. */
public final class Charts {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 520;

  private Charts() {}

  /** A chart without series, both axes linear. */
  public static XYChart xy(String title, String xTitle, String yTitle) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    XYStyler style = chart.getStyler();
    style.setLocale(Locale.ROOT);
    style.setChartBackgroundColor(java.awt.Color.WHITE);
    style.setPlotBackgroundColor(java.awt.Color.WHITE);
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
    style.setLegendBorderColor(java.awt.Color.WHITE);
    style.setLegendPosition(LegendPosition.OutsideS);
    style.setLegendLayout(org.knowm.xchart.style.Styler.LegendLayout.Horizontal);
    style.setSeriesColors(Palette.all());
    style.setMarkerSize(9);
    style.setChartPadding(14);
    style.setXAxisLogarithmicDecadeOnly(false);
    style.setYAxisLogarithmicDecadeOnly(false);
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
  public static void line(XYChart chart, String name, double[] x, double[] y) {
    XYSeries series = chart.addSeries(name, x, y);
    series.setMarker(SeriesMarkers.NONE);
    series.setLineStyle(Palette.solid());
  }

  /** Adds points without a line. */
  public static void points(XYChart chart, String name, double[] x, double[] y) {
    XYSeries series = chart.addSeries(name, x, y);
    series.setXYSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
    series.setMarker(SeriesMarkers.CIRCLE);
  }
}
