package io.cairn.lab.study.schedule;

import io.cairn.cli.Units;
import io.cairn.cli.picture.Canvas;
import io.cairn.cli.picture.Canvas.Anchor;
import io.cairn.cli.picture.Canvas.Pen;
import io.cairn.cli.picture.Canvas.Spot;
import io.cairn.cli.picture.Canvas.TextStyle;
import io.cairn.core.flow.Transfer;
import java.util.List;
import java.util.Locale;

/** Draws transfers as arrows between the rims of what they connect. */
final class PlanArrow {
  /** Half of a host's box. */
  static final double HOST_HALF_WIDTH = 38;

  /** Half of a host's box. */
  static final double HOST_HALF_HEIGHT = 22;

  private static final double GAP = 3;

  /** Unlike places, since arrows that cross often do so in the middle of both. */
  private static final double[] LABEL_AT = {.38, .3, .46};

  private final Canvas canvas;
  private final TopologyLayout placement;

  PlanArrow(Canvas canvas, TopologyLayout placement) {
    this.canvas = canvas;
    this.placement = placement;
  }

  /** A shaft of this width and a head that sticks out of it. */
  void draw(Transfer transfer, double width, int rgb) {
    Spot from = placement.device(transfer.from());
    Spot to = target(transfer);
    double length = Math.hypot(to.x() - from.x(), to.y() - from.y());
    double dx = (to.x() - from.x()) / length;
    double dy = (to.y() - from.y()) / length;
    double reach = transfer.toHost() ? inBox(dx, dy) : placement.radius();
    Spot tip = along(to, -(reach + GAP), dx, dy);
    double head = 7 + width;
    double half = 3.5 + width * .75;
    Spot neck = along(tip, -head, dx, dy);
    canvas.named(
        name(transfer),
        () -> {
          canvas.line(along(from, placement.radius(), dx, dy), neck, new Pen(rgb, width, 0));
          canvas.shape(List.of(tip, along(neck, half, -dy, dx), along(neck, -half, -dy, dx)), rgb);
        });
  }

  /** Writes the bytes beside the shaft's middle. */
  void label(Transfer transfer) {
    Spot from = placement.device(transfer.from());
    Spot to = target(transfer);
    double share = LABEL_AT[transfer.from() % LABEL_AT.length];
    Spot at =
        new Spot(from.x() + share * (to.x() - from.x()), from.y() + share * (to.y() - from.y()));
    canvas.text(
        new Spot(at.x(), at.y() + 4),
        Units.decimalBytes(transfer.bytes()),
        new TextStyle(0x222222, 11.5, true, Anchor.MIDDLE));
  }

  private Spot target(Transfer transfer) {
    return transfer.toHost() ? placement.hostOf(transfer.from()) : placement.device(transfer.to());
  }

  /** How far a host's box reaches in a direction. */
  private static double inBox(double dx, double dy) {
    return Math.min(
        HOST_HALF_WIDTH / Math.max(1e-9, Math.abs(dx)),
        HOST_HALF_HEIGHT / Math.max(1e-9, Math.abs(dy)));
  }

  private static Spot along(Spot at, double by, double dx, double dy) {
    return new Spot(at.x() + by * dx, at.y() + by * dy);
  }

  private static String name(Transfer transfer) {
    String to = transfer.toHost() ? "host" : "G" + transfer.to();
    return String.format(
        Locale.ROOT, "G%d to %s: %s", transfer.from(), to, Units.decimalBytes(transfer.bytes()));
  }
}
