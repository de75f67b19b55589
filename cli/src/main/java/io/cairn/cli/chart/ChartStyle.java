package io.cairn.cli.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * How all charts look: the legend beside the data and never on it, colours that differ for the
 * colour-blind too. The texts of axes name the unit. Thread-safe.
 */
public final class ChartStyle {
  private static final Color[] COLOURS = {
    new Color(0x0072b2),
    new Color(0xe69f00),
    new Color(0x009e73),
    new Color(0xcc79a7),
    new Color(0x56b4e9),
    new Color(0x8c6d31)
  };

  private static final Color INK = new Color(0x222222);
  private static final Color GRID = new Color(0xe2e2e2);

  private final int width;
  private final int height;

  /** Charts of this many pixels. */
  public ChartStyle(int width, int height) {
    this.width = width;
    this.height = height;
  }

  /** The colour of the series with this index; they repeat after some. */
  public static Color colour(int series) {
    return COLOURS[series % COLOURS.length];
  }

  /** An empty chart of points or lines. */
  public XYChart xy(String title, String x, String y) {
    XYChart chart =
        new XYChartBuilder()
            .width(width)
            .height(height)
            .title(title)
            .xAxisTitle(x)
            .yAxisTitle(y)
            .build();
    style(chart.getStyler());
    chart.getStyler().setMarkerSize(5);
    return chart;
  }

  /** An empty chart of bars. */
  public CategoryChart bars(String title, String x, String y) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(width)
            .height(height)
            .title(title)
            .xAxisTitle(x)
            .yAxisTitle(y)
            .build();
    style(chart.getStyler());
    chart.getStyler().setAvailableSpaceFill(.8);
    return chart;
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

  /** A line of ordinary width. */
  public static BasicStroke line() {
    return new BasicStroke(1.8f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
  }

  /** A dashed line, for a variant of what a full one shows. */
  public static BasicStroke dashes() {
    float[] dashes = {6, 4};
    return new BasicStroke(1.8f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dashes, 0);
  }

  private static void style(AxesChartStyler styler) {
    styler.setBaseFont(font(Font.PLAIN, 12));
    styler.setChartTitleFont(font(Font.BOLD, 14));
    styler.setAxisTitleFont(font(Font.PLAIN, 12));
    styler.setAxisTickLabelsFont(font(Font.PLAIN, 11));
    styler.setLegendFont(font(Font.PLAIN, 12));
    styler.setLocale(Locale.ROOT);
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBackgroundColor(Color.WHITE);
    styler.setChartFontColor(INK);
    styler.setPlotGridLinesColor(GRID);
    styler.setPlotGridLinesStroke(new BasicStroke(1));
    styler.setPlotBorderVisible(false);
    styler.setChartTitleBoxVisible(false);
    styler.setChartPadding(14);
    styler.setSeriesColors(COLOURS);
    styler.setLegendPosition(LegendPosition.OutsideE);
    styler.setLegendBorderColor(Color.WHITE);
    styler.setPlotContentSize(.97);
    styler.setYAxisTickLabelsFormattingFunction(ChartStyle::plain);
  }

  /** Without an exponent, and no more decimals than it takes. */
  private static String plain(double value) {
    return Math.abs(value) >= 1000
        ? String.format(Locale.ROOT, "%,.0f", value).replace(',', '\u2009')
        : BigDecimal.valueOf(value).round(new MathContext(4)).stripTrailingZeros().toPlainString();
  }

  private static Font font(int style, int size) {
    return new Font(Font.SANS_SERIF, style, size);
  }
}
