package io.cairn.lab.study.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;

/**
 * Colours and fonts of all pictures; colours that differ in lightness too, for print and for all.
 */
public final class Palette {
  /** Text and axes. */
  public static final Color INK = new Color(0x26, 0x2b, 0x33);

  /** The colour of lesser parts: grid lines, captions. */
  public static final Color FAINT = new Color(0xd5, 0xd9, 0xe0);

  /** Ordinary text. */
  public static final Font TEXT = new Font(Font.SANS_SERIF, Font.PLAIN, 13);

  /** Titles. */
  public static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 15);

  private static final Color[] SERIES = {
    new Color(0x1f, 0x5f, 0xa8),
    new Color(0xd9, 0x6c, 0x1e),
    new Color(0x2f, 0x8f, 0x5b),
    new Color(0x8d, 0x3b, 0x8a),
    new Color(0xc0, 0x39, 0x3b),
    new Color(0x6b, 0x72, 0x80),
    new Color(0x00, 0x95, 0xa8),
    new Color(0xa8, 0x8a, 0x1d)
  };

  private Palette() {}

  /** The colour of series, or of level, {@code index}, counted from 0; they come round again. */
  public static Color series(int index) {
    return SERIES[index % SERIES.length];
  }

  /** A light tint of a colour, for areas behind text. */
  public static Color tint(Color color) {
    return new Color(
        255 - (255 - color.getRed()) / 4,
        255 - (255 - color.getGreen()) / 4,
        255 - (255 - color.getBlue()) / 4);
  }

  /** All colours of series. */
  static Color[] all() {
    return SERIES.clone();
  }

  /** A line that is drawn through. */
  public static BasicStroke solid() {
    return new BasicStroke(2f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
  }

  /** A dashed line, for a variant of what one that is drawn through shows. */
  public static BasicStroke dashed() {
    float[] dashes = {6, 4};
    return new BasicStroke(2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dashes, 0);
  }
}
