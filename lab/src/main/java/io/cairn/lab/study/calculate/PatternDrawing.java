package io.cairn.lab.study.calculate;

import io.cairn.cli.Units;
import io.cairn.lab.study.chart.Palette;
import io.cairn.lab.study.chart.TimeAxis;
import io.cairn.lab.study.pattern.CheckpointPattern;
import io.cairn.lab.study.pattern.LevelStack;
import io.cairn.lab.study.pattern.PatternAssumptions;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.List;

/**
 * A pattern over time, without failures, to scale: work as a bar, and the checkpoints after each
 * segment as bars of their own, one lane per level. A checkpoint too short to be seen is a
 * hairline.
 */
final class PatternDrawing {
  static final int WIDTH = 1000;
  private static final int LEFT = 150;
  private static final int RIGHT = 24;
  private static final int TOP = 64;
  private static final int LANE = 34;
  private static final int BAR = 22;
  private static final int AXIS = 54;
  private static final int TICKS = 9;

  /** In points; nearer than that, a level is a band with their number. */
  private static final double APART = 3;

  private static final Color WORK = new Color(0x9a, 0xa5, 0xb4);

  private final CheckpointPattern pattern;
  private final LevelStack levels;
  private final LevelStack selected;
  private final double seconds;

  PatternDrawing(LevelStack levels, CheckpointPattern pattern, PatternAssumptions assumptions) {
    this.pattern = pattern;
    this.levels = levels;
    selected = levels.select(pattern.subset(), assumptions.costs());
    double sum = pattern.lengthSeconds();
    List<Integer> totals = pattern.totals();
    for (int index = 0; index < selected.size(); index++) {
      sum += totals.get(index) * selected.level(index + 1).checkpointSeconds();
    }
    seconds = sum;
  }

  int height() {
    return TOP + LANE * (selected.size() + 1) + AXIS;
  }

  void draw(Graphics2D graphics) {
    graphics.setColor(Palette.INK);
    graphics.setFont(Palette.TITLE);
    graphics.drawString(
        Units.count(pattern.segments(), "segment")
            + " of "
            + Units.seconds(pattern.segmentSeconds())
            + ", "
            + Units.seconds(pattern.lengthSeconds())
            + " of work in "
            + Units.seconds(seconds)
            + " without failures",
        20,
        34);
    graphics.setFont(Palette.TEXT);
    axis(graphics);
    label(graphics, "work", 0);
    for (int index = 0; index < selected.size(); index++) {
      int number = pattern.subset().get(index);
      label(graphics, number + "  " + levels.level(number).name(), index + 1);
    }
    bars(graphics);
  }

  private void bars(Graphics2D graphics) {
    for (int index = 0; index < selected.size(); index++) {
      if (isDense(index)) {
        band(graphics, index);
      }
    }
    double now = 0;
    double begun = 0;
    for (int segment = 1; segment <= pattern.segments(); segment++) {
      now += pattern.segmentSeconds();
      double worked = now;
      int top = pattern.subset().indexOf(pattern.levelAfter(segment));
      for (int index = 0; index <= top; index++) {
        double cost = selected.level(index + 1).checkpointSeconds();
        if (!isDense(index)) {
          bar(graphics, Palette.series(index), index + 1, now, cost);
        }
        now += cost;
      }
      // Segments that nothing visible parts are one bar, however many they are.
      if (!isDense(top) || segment == pattern.segments()) {
        bar(graphics, WORK, 0, begun, worked - begun);
        begun = now;
      }
    }
  }

  /** Whether a level's checkpoints are too near to each other to be drawn one by one. */
  private boolean isDense(int index) {
    return x(seconds / pattern.totals().get(index)) - x(0) < APART;
  }

  private void band(Graphics2D graphics, int index) {
    Color color = Palette.series(index);
    int lane = index + 1;
    bar(graphics, Palette.tint(color), lane, 0, seconds);
    graphics.setColor(Palette.INK);
    String text =
        pattern.totals().get(index)
            + " of "
            + Units.seconds(selected.level(lane).checkpointSeconds());
    graphics.drawString(text, LEFT + 8, TOP + lane * LANE + 16);
  }

  private void bar(Graphics2D graphics, Color color, int lane, double from, double length) {
    double x = x(from);
    double width = Math.max(0.6, x(from + length) - x);
    graphics.setColor(color);
    graphics.fill(new Rectangle2D.Double(x, TOP + lane * LANE, width, BAR));
  }

  private void label(Graphics2D graphics, String text, int lane) {
    graphics.setColor(Palette.INK);
    String shown = text.length() <= 18 ? text : text.substring(0, 17) + "…";
    graphics.drawString(shown, 20, TOP + lane * LANE + 16);
  }

  private void axis(Graphics2D graphics) {
    int bottom = TOP + LANE * (selected.size() + 1);
    for (double at : TimeAxis.ticks(seconds, TICKS)) {
      graphics.setColor(Palette.FAINT);
      graphics.draw(new Line2D.Double(x(at), TOP - 8, x(at), bottom));
      graphics.setColor(Palette.INK);
      String text = TimeAxis.label(at);
      int width = graphics.getFontMetrics().stringWidth(text);
      double left = Math.min(x(at) - width / 2.0, WIDTH - width - 4.0);
      graphics.drawString(text, (float) left, bottom + 20f);
    }
  }

  private double x(double at) {
    return LEFT + (WIDTH - LEFT - RIGHT) * at / seconds;
  }
}
