package io.cairn.examples.wave;

import io.cairn.cli.picture.Canvas;
import io.cairn.cli.picture.Canvas.Anchor;
import io.cairn.cli.picture.Canvas.Pen;
import io.cairn.cli.picture.Canvas.Spot;
import io.cairn.cli.picture.Canvas.TextStyle;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Values of a plane as shades, with axes. Darker is higher; the extremes are those that 0.5 % of
 * all values exceed.
 */
final class Heatmap {
  private static final int INK = 0x262b33;
  private static final double CLIPPED = 0.995;
  private static final int TICKS = 4;

  private final String title;
  private final double[][] values;
  private final Axis width;
  private final Axis height;

  /**
   * An axis.
   *
   * @param to the value at its end; it begins at 0
   */
  record Axis(String name, double to) {}

  /** A part of a picture. */
  record Frame(double left, double top, double width, double height) {}

  /**
   * A plane.
   *
   * @param values by column, then by row from the top
   * @param width units of a row
   * @param height units of a column
   */
  Heatmap(String title, double[][] values, Axis width, Axis height) {
    this.title = title;
    this.values = values;
    this.width = width;
    this.height = height;
  }

  void draw(Canvas canvas, Frame frame) {
    text(canvas, frame.left(), frame.top() - 10, title, true, Anchor.START);
    double limit = limit();
    double cellWidth = frame.width() / values.length;
    double cellHeight = frame.height() / values[0].length;
    for (int column = 0; column < values.length; column++) {
      for (int row = 0; row < values[column].length; row++) {
        double x = frame.left() + column * cellWidth;
        double y = frame.top() + row * cellHeight;
        int shade = shade(values[column][row] / limit);
        // A little larger than the cell, so that no gap shows.
        canvas.shape(corners(x, y, cellWidth + 0.5, cellHeight + 0.5), shade * 0x010101);
      }
    }
    List<Spot> rim = corners(frame.left(), frame.top(), frame.width(), frame.height());
    canvas.line(rim, new Pen(INK, 1, 0));
    axes(canvas, frame);
  }

  private static List<Spot> corners(double x, double y, double width, double height) {
    return List.of(
        new Spot(x, y),
        new Spot(x + width, y),
        new Spot(x + width, y + height),
        new Spot(x, y + height),
        new Spot(x, y));
  }

  private double limit() {
    double[] sizes =
        Arrays.stream(values).flatMapToDouble(Arrays::stream).map(Math::abs).sorted().toArray();
    return Math.max(1e-300, sizes[(int) (CLIPPED * (sizes.length - 1))]);
  }

  private static int shade(double value) {
    return (int) Math.round(127.5 * (1 - Math.max(-1, Math.min(1, value))));
  }

  private void axes(Canvas canvas, Frame frame) {
    for (int tick = 0; tick <= TICKS; tick++) {
      double part = (double) tick / TICKS;
      double x = frame.left() + part * frame.width();
      double y = frame.top() + part * frame.height();
      double bottom = frame.top() + frame.height();
      text(canvas, x, bottom + 16, number(part * width.to()), false, Anchor.MIDDLE);
      text(canvas, frame.left() - 6, y + 4, number(part * height.to()), false, Anchor.END);
    }
    double middle = frame.left() + frame.width() / 2;
    text(canvas, middle, frame.top() + frame.height() + 34, width.name(), false, Anchor.MIDDLE);
    text(
        canvas,
        frame.left() + frame.width(),
        frame.top() - 10,
        "down: " + height.name(),
        false,
        Anchor.END);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value > 0 && value < 10 ? "%.2f" : "%.0f", value);
  }

  private static void text(
      Canvas canvas, double x, double y, String text, boolean bold, Anchor anchor) {
    canvas.text(new Spot(x, y), text, new TextStyle(INK, bold ? 15 : 12, bold, anchor));
  }
}
