package io.cairn.lab.study.schedule;

import io.cairn.cli.Units;
import io.cairn.cli.picture.Canvas;
import io.cairn.cli.picture.Canvas.Anchor;
import io.cairn.cli.picture.Canvas.Pen;
import io.cairn.cli.picture.Canvas.Spot;
import io.cairn.cli.picture.Canvas.TextStyle;
import io.cairn.cli.picture.SvgCanvas;
import io.cairn.core.flow.ClusterNode;
import io.cairn.core.flow.FlowProblem;
import io.cairn.core.flow.Topology;
import io.cairn.core.flow.Transfer;
import io.cairn.core.flow.TransferPlan;
import io.cairn.lab.study.schedule.TopologyLayout.Frame;
import java.util.List;
import java.util.Locale;

/**
 * A plan as a picture: devices where the topology puts them, with what they must send or can take;
 * a transfer as an arrow as wide as its bytes; in red what keeps the plan from being faster.
 */
final class PlanDrawing {
  private static final int INK = 0x222222;
  private static final int GREY = 0x707070;
  private static final int RED = 0xc62828;
  private static final int BLUE = 0x3a7ca5;
  private static final Pen LINK = new Pen(0xdedede, 1.2, 0);
  private static final Pen FRAME = new Pen(0xb5b5b5, 1, 4);
  private static final double TOP = 74;
  private static final double LEGEND = 46;
  private static final double LEAST_WIDTH = 760;
  private static final double WIDEST_ARROW = 14;
  private static final int MOST_LABELS = 20;
  private static final int MOST_LINKS = 600;

  private final String title;
  private final FlowProblem problem;
  private final TransferPlan plan;
  private final TopologyLayout placement;
  private final Bottleneck bottleneck;
  private final double mostBytes;

  PlanDrawing(String title, FlowProblem problem, TransferPlan plan) {
    this.title = title;
    this.problem = problem;
    this.plan = plan;
    placement = new TopologyLayout(problem.topology(), TOP, LEAST_WIDTH);
    bottleneck = new Bottleneck(problem, plan);
    mostBytes = plan.transfers().stream().mapToDouble(Transfer::bytes).max().orElse(1);
  }

  /** The picture as SVG. */
  String svg() {
    SvgCanvas canvas =
        new SvgCanvas(
            (int) Math.ceil(Math.max(LEAST_WIDTH, placement.end().x())),
            (int) Math.ceil(placement.end().y() + LEGEND));
    drawTitle(canvas);
    drawMachines(canvas);
    drawLinks(canvas);
    PlanArrow arrow = new PlanArrow(canvas, placement);
    for (Transfer transfer : plan.transfers()) {
      arrow.draw(transfer, width(transfer), bottleneck.has(transfer) ? RED : BLUE);
    }
    placement.hosts().forEach(host -> drawHost(canvas, host));
    double[] received = received();
    for (int device = 0; device < problem.devices(); device++) {
      new PlanDevice(canvas, placement).draw(problem, device, received[device], rim(device));
    }
    if (plan.transfers().size() <= MOST_LABELS) {
      plan.transfers().forEach(arrow::label);
    }
    drawLegend(canvas, placement.end().y() + LEGEND / 2);
    return canvas.svg();
  }

  private double width(Transfer transfer) {
    return Math.max(0.7, WIDEST_ARROW * transfer.bytes() / mostBytes);
  }

  private double[] received() {
    double[] received = new double[problem.devices()];
    for (Transfer transfer : plan.transfers()) {
      if (!transfer.toHost()) {
        received[transfer.to()] += transfer.bytes();
      }
    }
    return received;
  }

  private Pen rim(int device) {
    return bottleneck.hasCapOf(device)
        ? new Pen(RED, 4, 0)
        : new Pen(PlanDevice.rim(problem, device), 1.6, 0);
  }

  private void drawTitle(Canvas canvas) {
    canvas.text(
        new Spot(16, 28),
        title + ": blocks for " + Units.seconds(plan.blockingSeconds()),
        new TextStyle(INK, 17, true, Anchor.START));
    if (!bottleneck.text().isEmpty()) {
      canvas.text(
          new Spot(16, 50),
          "limited by " + bottleneck.text(),
          new TextStyle(RED, 12, false, Anchor.START));
    }
  }

  private void drawMachines(Canvas canvas) {
    List<ClusterNode> nodes = problem.topology().nodes();
    for (int node = 0; node < nodes.size(); node++) {
      Frame frame = placement.frames().get(node);
      boolean full = bottleneck.hasCardOf(nodes.get(node).devices());
      double left = frame.left() + 5;
      double top = frame.top() + 5;
      double right = frame.left() + frame.width() - 5;
      double bottom = frame.top() + frame.height() - 5;
      canvas.line(
          List.of(
              new Spot(left, top),
              new Spot(right, top),
              new Spot(right, bottom),
              new Spot(left, bottom),
              new Spot(left, top)),
          full ? new Pen(RED, 3, 0) : FRAME);
      canvas.text(
          new Spot(left + 8, top + 16),
          String.format(Locale.ROOT, "node %d, network %s", node, network(nodes.get(node))),
          new TextStyle(full ? RED : GREY, 12, false, Anchor.START));
    }
  }

  private static String network(ClusterNode node) {
    String out = Units.decimalBytes(node.outBytesPerSecond()) + "/s";
    return node.outBytesPerSecond() == node.inBytesPerSecond()
        ? out
        : "%s out, %s/s in".formatted(out, Units.decimalBytes(node.inBytesPerSecond()));
  }

  private void drawLinks(Canvas canvas) {
    Topology topology = problem.topology();
    if (problem.devices() * (problem.devices() - 1) / 2 > MOST_LINKS) {
      return;
    }
    for (int one = 0; one < problem.devices(); one++) {
      for (int other = one + 1; other < problem.devices(); other++) {
        if (topology.linkBytesPerSecond(one, other) + topology.linkBytesPerSecond(other, one) > 0) {
          canvas.line(placement.device(one), placement.device(other), LINK);
        }
      }
    }
  }

  private static void drawHost(Canvas canvas, Spot at) {
    double halfWidth = PlanArrow.HOST_HALF_WIDTH;
    double halfHeight = PlanArrow.HOST_HALF_HEIGHT;
    List<Spot> corners =
        List.of(
            new Spot(at.x() - halfWidth, at.y() - halfHeight),
            new Spot(at.x() + halfWidth, at.y() - halfHeight),
            new Spot(at.x() + halfWidth, at.y() + halfHeight),
            new Spot(at.x() - halfWidth, at.y() + halfHeight),
            new Spot(at.x() - halfWidth, at.y() - halfHeight));
    canvas.shape(corners, 0xeeeeee);
    canvas.line(corners, new Pen(GREY, 1.6, 0));
    canvas.text(new Spot(at.x(), at.y() + 5), "host", new TextStyle(INK, 14, true, Anchor.MIDDLE));
  }

  private void drawLegend(Canvas canvas, double y) {
    double x = 24;
    x = PlanDevice.legend(canvas, x, y, PlanDevice.SENDER, "sends its remainder");
    x = PlanDevice.legend(canvas, x, y, PlanDevice.RECEIVER, "takes, of what it has to spare");
    canvas.line(new Spot(x, y), new Spot(x + 30, y), new Pen(BLUE, WIDEST_ARROW, 0));
    x = text(canvas, x + 38, y, Units.decimalBytes(mostBytes));
    canvas.line(new Spot(x, y), new Spot(x + 30, y), new Pen(RED, WIDEST_ARROW / 2, 0));
    text(canvas, x + 38, y, "bottleneck");
  }

  /** Writes a legend's text, and returns where the next part starts. */
  static double text(Canvas canvas, double x, double y, String text) {
    canvas.text(new Spot(x, y + 4), text, new TextStyle(INK, 12, false, Anchor.START));
    return x + Canvas.width(text, 12) + 26;
  }
}
