package io.cairn.cli.picture;

import java.util.List;

/**
 * A surface for a picture: an SVG text or an image. Coordinates are pixels from top left, colours
 * are {@code 0xrrggbb}. Later strokes lie above earlier ones. Not thread-safe.
 */
public interface Canvas {
  /** Where a text's given point lies in it. */
  enum Anchor {
    /** At its left end. */
    START,
    /** In the middle. */
    MIDDLE,
    /** At its right end. */
    END
  }

  /** A point. */
  record Spot(double x, double y) {}

  /**
   * How a line is drawn.
   *
   * @param rgb its colour
   * @param width in pixels
   * @param dash length of dashes and gaps in pixels; 0 for none
   */
  record Pen(int rgb, double width, double dash) {}

  /**
   * How a text is drawn, on a white rim that keeps it readable over lines.
   *
   * @param size of the font in pixels
   */
  record TextStyle(int rgb, double size, boolean bold, Anchor anchor) {}

  /** A line through all points. */
  void line(List<Spot> through, Pen pen);

  /** A closed shape. */
  void shape(List<Spot> corners, int fillRgb);

  /** A disc with a rim. */
  void disc(Spot centre, double radius, int fillRgb, Pen rim);

  /** A text whose baseline starts, centres or ends at a point. */
  void text(Spot at, String text, TextStyle style);

  /**
   * Draws something that has a name; where the form can, the name is shown to who points at it.
   *
   * @param drawing draws on this canvas
   */
  default void named(String name, Runnable drawing) {
    drawing.run();
  }

  /** A line between two points. */
  default void line(Spot from, Spot to, Pen pen) {
    line(List.of(from, to), pen);
  }

  /** About the width of a text in pixels, without a look at any font. */
  static double width(String text, double size) {
    return 0.55 * size * text.length();
  }
}
