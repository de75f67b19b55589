package io.cairn.cli.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.util.Locale;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * How all charts look: the legend below the data and never on it, colours that differ for the
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

  /** A line of ordinary width. */
  public static BasicStroke line() {
    return new BasicStroke(1.8f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
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
    styler.setLegendPosition(LegendPosition.OutsideS);
    styler.setLegendLayout(LegendLayout.Horizontal);
    styler.setLegendBorderColor(Color.WHITE);
    styler.setPlotContentSize(.97);
  }

  private static Font font(int style, int size) {
    return new Font(Font.SANS_SERIF, style, size);
  }
}
