package io.cairn.examples.demo;

import io.cairn.cli.picture.Canvas;
import io.cairn.cli.picture.Canvas.Anchor;
import io.cairn.cli.picture.Canvas.Pen;
import io.cairn.cli.picture.Canvas.Spot;
import io.cairn.cli.picture.Canvas.TextStyle;
import io.cairn.examples.demo.FoldHistory.Attempt;
import io.cairn.examples.demo.FoldHistory.Checkpoint;
import io.cairn.examples.demo.FoldHistory.Kill;
import io.cairn.examples.demo.FoldHistory.Resume;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** One fold's part of the lineage picture: its iterations over the common time. */
final class LineagePanel {
  private static final int TICKS = 4;
  private static final double ROW = 13;
  private static final TextStyle KILL_LABEL =
      new TextStyle(LineageColors.RED, 11, false, Anchor.START);
  private static final TextStyle TICK_LABEL =
      new TextStyle(LineageColors.GREY, 11, false, Anchor.END);

  private final Canvas canvas;
  private final FoldHistory fold;
  private final Axis time;
  private final Axis iterations;

  private record KillLabel(Kill kill, String text, double x, double y) {}

  /**
   * A panel.
   *
   * @param time from left to right
   * @param iterations from the panel's bottom to its top
   */
  LineagePanel(Canvas canvas, FoldHistory fold, Axis time, Axis iterations) {
    this.canvas = canvas;
    this.fold = fold;
    this.time = time;
    this.iterations = iterations;
  }

  /** Draws from the back to the front. */
  void draw() {
    drawFrame();
    List<KillLabel> kills = killLabels();
    kills.forEach(this::drawKill);
    fold.attempts().forEach(this::drawLine);
    fold.resumes().forEach(this::drawArrow);
    fold.attempts().forEach(this::drawCheckpoints);
    fold.resumes().forEach(this::labelResume);
    kills.forEach(label -> canvas.text(new Spot(label.x(), label.y()), label.text(), KILL_LABEL));
  }

  private void drawFrame() {
    for (long tick : iterations.ticks(TICKS)) {
      double y = iterations.at(tick);
      canvas.line(new Spot(time.start(), y), new Spot(time.end(), y), LineageColors.GRID);
      canvas.text(new Spot(time.start() - 7, y + 4), String.valueOf(tick), TICK_LABEL);
    }
    double middle = (iterations.start() + iterations.end()) / 2;
    canvas.text(
        new Spot(16, middle + 4),
        fold.name(),
        new TextStyle(LineageColors.INK, 13, true, Anchor.START));
    canvas.line(
        List.of(
            new Spot(time.start(), iterations.end()),
            new Spot(time.start(), iterations.start()),
            new Spot(time.end(), iterations.start())),
        LineageColors.FRAME);
  }

  private void drawLine(Attempt attempt) {
    List<Spot> spots =
        attempt.points().stream().map(point -> spot(point.seconds(), point.iteration())).toList();
    if (!spots.isEmpty()) {
      canvas.line(spots, new Pen(LineageColors.epoch(attempt.epoch()), 2, 0));
    }
  }

  private void drawCheckpoints(Attempt attempt) {
    int colour = LineageColors.epoch(attempt.epoch());
    fold.checkpoints().stream()
        .filter(checkpoint -> attempt.equals(fold.writer(checkpoint).orElse(null)))
        .sorted(Comparator.comparing(Checkpoint::level))
        .forEach(
            checkpoint ->
                LineageColors.checkpoint(
                    canvas,
                    spot(checkpoint.seconds(), checkpoint.iteration()),
                    checkpoint.level(),
                    colour));
  }

  /** From the checkpoint that was restored to the start of the new line. */
  private void drawArrow(Resume resume) {
    Spot to = spot(resume.seconds(), resume.fromIteration());
    origin(resume).ifPresent(from -> LineageColors.arrow(canvas, from, to));
  }

  private Optional<Spot> origin(Resume resume) {
    return fold.checkpoints().stream()
        .filter(checkpoint -> checkpoint.level() == resume.level())
        .filter(checkpoint -> checkpoint.iteration() == resume.fromIteration())
        .filter(checkpoint -> checkpoint.seconds() <= resume.seconds())
        .reduce((first, second) -> second)
        .map(checkpoint -> spot(checkpoint.seconds(), checkpoint.iteration()));
  }

  private void labelResume(Resume resume) {
    String text = "from " + resume.level() + " at " + resume.fromIteration();
    double below = iterations.at(resume.fromIteration()) + ROW + 2;
    double y = Math.min(below, iterations.start() - 4);
    TextStyle style = new TextStyle(LineageColors.INK, 11, false, Anchor.START);
    double farthest = time.end() - Canvas.width(text, style.size());
    canvas.text(new Spot(Math.min(time.at(resume.seconds()) + 8, farthest), y), text, style);
  }

  /** Above the panel; the earlier one higher where two would overlap, so no line crosses a text. */
  private List<KillLabel> killLabels() {
    List<KillLabel> labels = new ArrayList<>();
    double free = Double.MAX_VALUE;
    int row = 0;
    for (int i = fold.kills().size() - 1; i >= 0; i--) {
      Kill kill = fold.kills().get(i);
      String text = describe(kill);
      double width = Canvas.width(text, KILL_LABEL.size());
      double x = Math.min(time.at(kill.seconds()) - 3, time.end() - width);
      row = x + width > free ? row + 1 : 0;
      labels.add(new KillLabel(kill, text, x, iterations.end() - 5 - ROW * row));
      free = x - 6;
    }
    return labels;
  }

  private static String describe(Kill kill) {
    String what = kill.target().equals("machine") ? "machine lost" : kill.target() + " killed";
    return what + " at iteration " + kill.iteration();
  }

  /** From the bottom up to its label. */
  private void drawKill(KillLabel label) {
    double x = time.at(label.kill().seconds());
    canvas.line(new Spot(x, iterations.start()), new Spot(x, label.y() + 3), LineageColors.KILL);
  }

  private Spot spot(double seconds, long iteration) {
    return new Spot(time.at(seconds), iterations.at(iteration));
  }
}
