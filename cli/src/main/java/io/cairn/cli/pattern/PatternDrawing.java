package io.cairn.cli.pattern;

import io.cairn.cli.Units;
import io.cairn.cli.chart.Palette;
import io.cairn.core.pattern.CheckpointPattern;
import io.cairn.core.pattern.LevelStack;
import io.cairn.core.pattern.PatternAssumptions;
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
  private static final int TICKS = 6;
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
    double now = 0;
    for (int segment = 1; segment <= pattern.segments(); segment++) {
      bar(graphics, WORK, 0, now, pattern.segmentSeconds());
      now += pattern.segmentSeconds();
      int top = pattern.subset().indexOf(pattern.levelAfter(segment));
      for (int index = 0; index <= top; index++) {
        double cost = selected.level(index + 1).checkpointSeconds();
        bar(graphics, Palette.series(index), index + 1, now, cost);
        now += cost;
      }
    }
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
    for (int tick = 0; tick <= TICKS; tick++) {
      double at = seconds * tick / TICKS;
      graphics.setColor(Palette.FAINT);
      graphics.draw(new Line2D.Double(x(at), TOP - 8, x(at), bottom));
      graphics.setColor(Palette.INK);
      String text = Units.seconds(at);
      int width = graphics.getFontMetrics().stringWidth(text);
      graphics.drawString(
          text, (float) Math.min(x(at) - width / 2.0, WIDTH - width - 4), bottom + 20);
    }
  }

  private static double x(double of, double whole) {
    return LEFT + (WIDTH - LEFT - RIGHT) * of / whole;
  }

  private double x(double at) {
    return x(at, seconds);
  }
}
