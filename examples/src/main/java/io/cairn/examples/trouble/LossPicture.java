package io.cairn.examples.trouble;

import io.cairn.cli.picture.Canvas;
import io.cairn.cli.picture.Canvas.Anchor;
import io.cairn.cli.picture.Canvas.Pen;
import io.cairn.cli.picture.Canvas.Spot;
import io.cairn.cli.picture.Canvas.TextStyle;
import io.cairn.cli.picture.ImageCanvas;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;

/**
 * The losses of the trainings by iteration, a panel each over the undisturbed ones, with troubled
 * iterations and roll-backs marked. Losses are on a logarithmic axis; those that are no number lie
 * above it.
 */
final class LossPicture {
  private static final int WIDTH = 1000;
  private static final int PANEL = 243;
  private static final int PLOT = 150;

  /** The title of a panel, and the rows of labels below it, which no curve reaches. */
  private static final int ABOVE_PLOT = 57;

  private static final int LABEL = 14;
  private static final int LABEL_ROWS = 2;
  private static final int TOP = 78;
  private static final int LEFT = 56;
  private static final int RIGHT = 24;
  private static final int INK = 0x262b33;
  private static final int GREY = 0xb4bac2;
  private static final int BLUE = 0x1f5fa8;
  private static final int RED = 0xc8281e;
  private static final double LEAST = 0.001;
  private static final double MOST = 100;
  private static final int DECADES = 5;

  private final TroubleReport report;

  /** A picture of a report whose first training is the undisturbed one. */
  LossPicture(TroubleReport report) {
    this.report = report;
  }

  /**
   * Writes it as PNG; replaces what was there.
   *
   * @throws IOException naming the file, also if Java finds no font on this machine
   */
  void write(Path file) throws IOException {
    try {
      ImageCanvas canvas = new ImageCanvas(WIDTH, TOP + PANEL * (report.trainings().size() - 1));
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

  /** Draws it. */
  void draw(Canvas canvas) {
    text(canvas, 16, 28, "Losses of trainings with planted trouble", 17, Anchor.START);
    legend(canvas);
    TroubleReport.Training undisturbed = report.trainings().get(0);
    for (int k = 1; k < report.trainings().size(); k++) {
      double top = TOP + PANEL * (k - 1.0) + ABOVE_PLOT;
      TroubleReport.Training training = report.trainings().get(k);
      double title = top - 17 - LABEL * LABEL_ROWS;
      text(canvas, LEFT, title, training.name(), 13, Anchor.START);
      text(canvas, WIDTH - RIGHT, title, "planted: " + plants(training), Anchor.END);
      frame(canvas, top);
      line(canvas, undisturbed.losses(), top, new Pen(GREY, 1.5, 0));
      parts(training.losses()).forEach(part -> line(canvas, part, top, new Pen(BLUE, 1.5, 0)));
      planted(canvas, training, top);
      rollBacks(canvas, training, top);
    }
  }

  private static String plants(TroubleReport.Training training) {
    return training.planted().stream()
        .map(each -> each.place() + " " + each.what())
        .collect(Collectors.joining("; "));
  }

  private void legend(Canvas canvas) {
    double y = 50;
    canvas.line(new Spot(16, y), new Spot(40, y), new Pen(GREY, 2, 0));
    text(canvas, 46, y + 4, "undisturbed", 12, Anchor.START);
    canvas.line(new Spot(140, y), new Spot(164, y), new Pen(BLUE, 2, 0));
    text(canvas, 170, y + 4, "this training", 12, Anchor.START);
    canvas.line(new Spot(270, y - 7), new Spot(270, y + 7), new Pen(RED, 1, 3));
    text(canvas, 278, y + 4, "planted", 12, Anchor.START);
    canvas.disc(new Spot(346, y), 4, RED, new Pen(RED, 1, 0));
    text(canvas, 356, y + 4, "trouble found, and the way back", 12, Anchor.START);
  }

  private void frame(Canvas canvas, double top) {
    for (int decade = 0; decade <= DECADES; decade++) {
      double value = MOST / Math.pow(10, DECADES - decade);
      double y = y(value, top);
      canvas.line(new Spot(LEFT, y), new Spot(WIDTH - RIGHT, y), new Pen(0xe6e8eb, 1, 0));
      text(canvas, LEFT - 6, y + 4, label(value), Anchor.END);
    }
    int step = Math.max(10, report.iterations() / 80 * 10);
    for (int tick = 0; tick <= report.iterations(); tick += step) {
      text(canvas, x(tick), top + PLOT + 16, Integer.toString(tick), Anchor.MIDDLE);
    }
  }

  private static String label(double value) {
    return value < 1 ? Double.toString(value) : Long.toString(Math.round(value));
  }

  /** Splits the losses where the training went back. */
  private static List<List<TroubleReport.Loss>> parts(List<TroubleReport.Loss> losses) {
    List<List<TroubleReport.Loss>> parts = new ArrayList<>();
    int last = Integer.MAX_VALUE;
    for (TroubleReport.Loss loss : losses) {
      if (loss.iteration() <= last) {
        parts.add(new ArrayList<>());
      }
      parts.get(parts.size() - 1).add(loss);
      last = loss.iteration();
    }
    return parts;
  }

  private void line(Canvas canvas, List<TroubleReport.Loss> losses, double top, Pen pen) {
    if (losses.size() > 1) {
      canvas.line(
          losses.stream().map(loss -> new Spot(x(loss.iteration()), y(loss.loss(), top))).toList(),
          pen);
    }
  }

  private void planted(Canvas canvas, TroubleReport.Training training, double top) {
    for (Plants.Planted each : training.planted()) {
      double x = x(each.place());
      canvas.line(new Spot(x, top), new Spot(x, top + PLOT), new Pen(RED, 1, 3));
    }
  }

  private void rollBacks(Canvas canvas, TroubleReport.Training training, double top) {
    double[] ends = new double[LABEL_ROWS];
    for (List<TroubleReport.Back> incident : incidents(training.rollBacks())) {
      incident.forEach(back -> wayBack(canvas, back, top));
      String label = label(incident);
      double width = Canvas.width(label, 11);
      double start = Math.min(x((double) incident.get(0).iteration()) - 4, WIDTH - RIGHT - width);
      int row = start > ends[0] ? 0 : 1;
      ends[row] = start + width + 12;
      text(canvas, start, top - 13 - LABEL * row, label, Anchor.START);
    }
  }

  private void wayBack(Canvas canvas, TroubleReport.Back back, double top) {
    Spot found = new Spot(x((double) back.iteration()), y(back.loss(), top));
    Spot restored = new Spot(x((double) back.restoredIteration()), top + PLOT - 6);
    canvas.line(found, restored, new Pen(RED, 1, 0));
    canvas.disc(found, 3.5, RED, new Pen(RED, 1, 0));
    canvas.disc(restored, 3, 0xffffff, new Pen(RED, 1.5, 0));
  }

  /** Roll-backs of neighbouring iterations, which have one label. */
  private List<List<TroubleReport.Back>> incidents(List<TroubleReport.Back> all) {
    List<List<TroubleReport.Back>> incidents = new ArrayList<>();
    long first = Long.MIN_VALUE / 2;
    for (TroubleReport.Back back : all) {
      if (Math.abs(back.iteration() - first) >= report.iterations() / 8) {
        incidents.add(new ArrayList<>());
        first = back.iteration();
      }
      incidents.get(incidents.size() - 1).add(back);
    }
    return incidents;
  }

  private static String label(List<TroubleReport.Back> incident) {
    String restored =
        incident.stream().map(TroubleReport.Back::restored).collect(Collectors.joining(", "));
    String levels =
        incident.stream()
            .map(TroubleReport.Back::level)
            .distinct()
            .collect(Collectors.joining("/"));
    DoubleSummaryStatistics millis =
        incident.stream().mapToDouble(TroubleReport.Back::millis).summaryStatistics();
    return incident.size() == 1
        ? String.format(Locale.ROOT, "%s at %s, %.1f ms", restored, levels, millis.getMax())
        : String.format(
            Locale.ROOT,
            "%s at %s, %.1f to %.1f ms",
            restored,
            levels,
            millis.getMin(),
            millis.getMax());
  }

  private double x(double iteration) {
    return LEFT + (WIDTH - LEFT - RIGHT) * iteration / report.iterations();
  }

  private static double y(double loss, double top) {
    double shown = Double.isFinite(loss) ? Math.max(LEAST, Math.min(MOST, loss)) : MOST;
    double decades = Math.log10(shown / LEAST);
    return top + PLOT * (1 - decades / DECADES) - (Double.isFinite(loss) ? 0 : 4);
  }

  private static void text(Canvas canvas, double x, double y, String text, Anchor anchor) {
    text(canvas, x, y, text, 11, anchor);
  }

  private static void text(
      Canvas canvas, double x, double y, String text, double size, Anchor anchor) {
    canvas.text(new Spot(x, y), text, new TextStyle(INK, size, size > 12, anchor));
  }
}
