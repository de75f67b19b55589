package io.cairn.examples.demo;

import io.cairn.Level;
import io.cairn.cli.picture.Canvas;
import io.cairn.cli.picture.Canvas.Anchor;
import io.cairn.cli.picture.Canvas.Pen;
import io.cairn.cli.picture.Canvas.Spot;
import io.cairn.cli.picture.Canvas.TextStyle;
import io.cairn.cli.picture.ImageCanvas;
import io.cairn.cli.picture.SvgCanvas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import javax.imageio.ImageIO;

/**
 * The lineage of all folds in one picture: a panel per fold over a common time, a line per epoch,
 * its checkpoints, what was killed, and the checkpoints that training resumed from. Immutable.
 */
public final class LineagePicture {
  private static final int WIDTH = 1200;
  private static final int PANEL = 176;
  private static final int PANEL_TOP = 40;
  private static final int TOP = 70;
  private static final int BOTTOM = 56;
  private static final int LEFT = 130;
  private static final int RIGHT = 30;
  private static final int TIME_TICKS = 12;
  private static final double LEGEND_GAP = 26;
  private static final TextStyle TEXT = new TextStyle(LineageColors.INK, 12, false, Anchor.START);

  private final String title;
  private final List<FoldHistory> folds;

  /**
   * A picture.
   *
   * @param folds at least one, from top to bottom
   */
  public LineagePicture(String title, List<FoldHistory> folds) {
    if (folds.isEmpty()) {
      throw new IllegalArgumentException("a lineage of no folds");
    }
    this.title = title;
    this.folds = List.copyOf(folds);
  }

  /** The picture as SVG, which needs no fonts on this machine. */
  public String svg() {
    SvgCanvas canvas = new SvgCanvas(WIDTH, height());
    draw(canvas);
    return canvas.svg();
  }

  /** Writes it as SVG; replaces what was there. */
  public void writeSvg(Path file) throws IOException {
    Files.writeString(file, svg());
  }

  /**
   * Writes it as PNG; replaces what was there.
   *
   * @throws IOException naming the file, also if Java finds no font on this machine
   */
  public void writePng(Path file) throws IOException {
    try {
      ImageCanvas canvas = new ImageCanvas(WIDTH, height());
      draw(canvas);
      if (!ImageIO.write(canvas.image(), "png", file.toFile())) {
        throw new IOException(file + ": this Java writes no PNG");
      }
    } catch (RuntimeException | LinkageError e) {
      throw new IOException(
          file + " not drawn: " + e.getMessage() + " (install fonts, such as fonts-dejavu-core)",
          e);
    }
  }

  private int height() {
    return TOP + folds.size() * PANEL + BOTTOM;
  }

  private void draw(Canvas canvas) {
    double end = folds.stream().mapToDouble(FoldHistory::endSeconds).max().orElse(0);
    long last = folds.stream().mapToLong(FoldHistory::lastIteration).max().orElse(0);
    Axis time = new Axis(Math.max(1, end * 1.01), LEFT, WIDTH - RIGHT);
    canvas.text(new Spot(16, 28), title, new TextStyle(LineageColors.INK, 17, true, Anchor.START));
    drawLegend(canvas);
    drawTime(canvas, time);
    for (int i = 0; i < folds.size(); i++) {
      double top = TOP + i * PANEL;
      Axis iterations = new Axis(Math.max(1, last * 1.04), top + PANEL, top + PANEL_TOP);
      new LineagePanel(canvas, folds.get(i), time, iterations).draw();
    }
    canvas.text(
        new Spot(LEFT - 7, TOP + PANEL_TOP - 12),
        "iteration",
        new TextStyle(LineageColors.GREY, 11, false, Anchor.END));
  }

  private void drawTime(Canvas canvas, Axis time) {
    double bottom = TOP + folds.size() * PANEL;
    for (long tick : time.ticks(TIME_TICKS)) {
      double x = time.at(tick);
      for (int i = 0; i < folds.size(); i++) {
        double top = TOP + i * PANEL;
        canvas.line(new Spot(x, top + PANEL_TOP), new Spot(x, top + PANEL), LineageColors.GRID);
      }
      canvas.text(
          new Spot(x, bottom + 18),
          String.valueOf(tick),
          new TextStyle(LineageColors.GREY, 11, false, Anchor.MIDDLE));
    }
    canvas.text(
        new Spot((LEFT + WIDTH - RIGHT) / 2.0, bottom + 40),
        "seconds since the start",
        new TextStyle(LineageColors.INK, 12, false, Anchor.MIDDLE));
  }

  private void drawLegend(Canvas canvas) {
    double y = 52;
    double x = 16;
    SortedSet<Long> epochs = new TreeSet<>();
    folds.forEach(fold -> epochs.addAll(fold.shownEpochs()));
    for (long epoch : epochs) {
      canvas.line(new Spot(x, y), new Spot(x + 22, y), new Pen(LineageColors.epoch(epoch), 2, 0));
      x = label(canvas, x + 28, y, "epoch " + epoch);
    }
    LineageColors.checkpoint(canvas, new Spot(x + 6, y), Level.NODE, LineageColors.GREY);
    x = label(canvas, x + 16, y, "sealed at NODE");
    LineageColors.checkpoint(canvas, new Spot(x + 6, y), Level.STORE, LineageColors.GREY);
    x = label(canvas, x + 16, y, "sealed at STORE");
    canvas.line(new Spot(x + 4, y - 9), new Spot(x + 4, y + 9), LineageColors.KILL);
    x = label(canvas, x + 12, y, "SIGKILL");
    LineageColors.arrow(canvas, new Spot(x, y), new Spot(x + 30, y));
    label(canvas, x + 36, y, "resumed from");
  }

  private static double label(Canvas canvas, double x, double y, String text) {
    canvas.text(new Spot(x, y + 4), text, TEXT);
    return x + Canvas.width(text, TEXT.size()) + LEGEND_GAP;
  }
}
