package io.cairn.examples.demo;

import io.cairn.Level;
import io.cairn.cli.picture.Canvas;
import io.cairn.cli.picture.Canvas.Anchor;
import io.cairn.cli.picture.Canvas.Pen;
import io.cairn.cli.picture.Canvas.Spot;
import io.cairn.cli.picture.Canvas.TextStyle;
import java.util.List;

/** Colours and marks of the lineage picture, so that the legend shows what the panels draw. */
final class LineageColors {
  static final int INK = 0x222222;
  static final int GREY = 0x707070;
  static final int RED = 0xc62828;
  static final Pen GRID = new Pen(0xe6e6e6, 1, 0);
  static final Pen FRAME = new Pen(0x9a9a9a, 1, 0);
  static final Pen KILL = new Pen(RED, 1.5, 4);
  static final Pen RESUME = new Pen(INK, 1.2, 3);
  static final TextStyle LABEL = new TextStyle(INK, 11, false, Anchor.MIDDLE);

  /** Distinct also for the colour-blind. */
  private static final int[] EPOCHS = {0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0x56b4e9, 0x8c6d31};

  private static final double NODE_RADIUS = 2.6;
  private static final double STORE_RADIUS = 5.5;
  private static final double ARROW = 7;

  private LineageColors() {}

  /** The colour of an epoch; they repeat after some. */
  static int epoch(long epoch) {
    return EPOCHS[(int) ((epoch - 1) % EPOCHS.length)];
  }

  /** A sealed checkpoint: a ring for NODE, a filled diamond for what is farther. */
  static void checkpoint(Canvas canvas, Spot at, Level level, int rgb) {
    if (level.compareTo(Level.NODE) <= 0) {
      canvas.disc(at, NODE_RADIUS, 0xffffff, new Pen(rgb, 1.4, 0));
    } else {
      diamond(canvas, at, STORE_RADIUS + 1.5, 0xffffff);
      diamond(canvas, at, STORE_RADIUS, rgb);
    }
  }

  /** An arrow whose head is at {@code to}. */
  static void arrow(Canvas canvas, Spot from, Spot to) {
    double angle = Math.atan2(to.y() - from.y(), to.x() - from.x());
    canvas.line(from, to, RESUME);
    canvas.shape(List.of(to, behind(to, angle, 0.4), behind(to, angle, -0.4)), INK);
  }

  private static Spot behind(Spot to, double angle, double turn) {
    return new Spot(
        to.x() - ARROW * Math.cos(angle + turn), to.y() - ARROW * Math.sin(angle + turn));
  }

  private static void diamond(Canvas canvas, Spot at, double radius, int rgb) {
    canvas.shape(
        List.of(
            new Spot(at.x() - radius, at.y()),
            new Spot(at.x(), at.y() - radius),
            new Spot(at.x() + radius, at.y()),
            new Spot(at.x(), at.y() + radius)),
        rgb);
  }
}
