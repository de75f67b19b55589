package io.cairn.lab.study.schedule;

import io.cairn.cli.Units;
import io.cairn.cli.picture.Canvas;
import io.cairn.cli.picture.Canvas.Anchor;
import io.cairn.cli.picture.Canvas.Pen;
import io.cairn.cli.picture.Canvas.Spot;
import io.cairn.cli.picture.Canvas.TextStyle;
import io.cairn.core.flow.FlowProblem;

/** Draws a device of a plan: a disc in the colour of its part, with what it sends or takes. */
final class PlanDevice {
  /** Colour of who sends. */
  static final int SENDER = 0xe69f00;

  /** Colour of who takes. */
  static final int RECEIVER = 0x009e73;

  private static final int NEITHER = 0x9a9a9a;
  private static final double ROOM_FOR_BYTES = 30;

  private final Canvas canvas;
  private final TopologyLayout placement;

  PlanDevice(Canvas canvas, TopologyLayout placement) {
    this.canvas = canvas;
    this.placement = placement;
  }

  /** Draws it, with what it receives in the plan. */
  void draw(FlowProblem problem, int device, double received, Pen rim) {
    Spot at = placement.device(device);
    String name = "G" + device;
    boolean sends = problem.remainderBytes(device) > 0;
    boolean takes = problem.spareBytes(device) > 0;
    String first = sends ? "sends" : takes ? quantity(received) + " of" : "";
    String second =
        sends
            ? Units.decimalBytes((double) problem.remainderBytes(device))
            : takes ? Units.decimalBytes((double) problem.spareBytes(device)) : "";
    canvas.named(
        (name + " " + first + " " + second).strip(),
        () -> {
          canvas.disc(at, placement.radius(), fill(rim(problem, device)), rim);
          if (placement.radius() < ROOM_FOR_BYTES) {
            middle(at, 4, String.valueOf(device), placement.radius() * .75, true);
            return;
          }
          middle(at, first.isEmpty() ? 5 : -8, name, 14, true);
          middle(at, 6, first, 10.5, false);
          middle(at, 19, second, 10.5, false);
        });
  }

  private void middle(Spot at, double below, String text, double size, boolean bold) {
    if (!text.isEmpty()) {
      canvas.text(
          new Spot(at.x(), at.y() + below),
          text,
          new TextStyle(0x222222, size, bold, Anchor.MIDDLE));
    }
  }

  private static String quantity(double bytes) {
    return bytes == 0 ? "0" : Units.decimalBytes(bytes);
  }

  /** The colour of a device's part. */
  static int rim(FlowProblem problem, int device) {
    if (problem.remainderBytes(device) > 0) {
      return SENDER;
    }
    return problem.spareBytes(device) > 0 ? RECEIVER : NEITHER;
  }

  /** A colour that text is readable on. */
  private static int fill(int rim) {
    return lighter(rim >> 16 & 0xff) << 16 | lighter(rim >> 8 & 0xff) << 8 | lighter(rim & 0xff);
  }

  private static int lighter(int part) {
    return 255 - (255 - part) / 6;
  }

  /** Draws what a colour means, and returns where the next part of the legend starts. */
  static double legend(Canvas canvas, double x, double y, int rim, String text) {
    canvas.disc(new Spot(x, y), 9, fill(rim), new Pen(rim, 1.6, 0));
    return PlanDrawing.text(canvas, x + 16, y, text);
  }
}
