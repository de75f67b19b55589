package io.cairn.examples.wave;

import io.cairn.cli.picture.Canvas;
import io.cairn.cli.picture.Canvas.Anchor;
import io.cairn.cli.picture.Canvas.Pen;
import io.cairn.cli.picture.Canvas.Spot;
import io.cairn.cli.picture.Canvas.TextStyle;
import io.cairn.cli.picture.ImageCanvas;
import io.cairn.examples.wave.Heatmap.Axis;
import io.cairn.examples.wave.Heatmap.Frame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;

/** The pictures of the demonstration, as PNG in one directory. */
final class WavePictures {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 500;
  private static final Frame WHOLE = new Frame(70, 50, WIDTH - 100, HEIGHT - 110);
  private static final int INK = 0x262b33;
  private static final int TICKS = 4;
  private static final int[] LEVELS = {0x1f5fa8, 0xd96c1e};

  private final Path directory;
  private final Survey survey;

  WavePictures(Path directory, Survey survey) throws IOException {
    this.directory = Files.createDirectories(directory);
    this.survey = survey;
  }

  /** The record of a source in the middle, along x. */
  void seismogram(double[][] record) throws IOException {
    ImageCanvas canvas = new ImageCanvas(WIDTH, HEIGHT);
    Source source = survey.middle();
    double[][] line = survey.grid().alongX(record, source.y());
    Axis down = new Axis("time (s)", survey.steps() * survey.dt());
    String title = String.format(Locale.ROOT, "Record of the shot at %.0f m", source.x());
    new Heatmap(title, line, alongX(), down).draw(canvas, WHOLE);
    write(canvas, "seismogram");
  }

  /** The field of a source in the middle at some moments, along x. */
  void fields(List<double[][]> fields, List<Integer> steps) throws IOException {
    ImageCanvas canvas = new ImageCanvas(WIDTH, 240 * fields.size() + 20);
    for (int i = 0; i < fields.size(); i++) {
      String title = String.format(Locale.ROOT, "Field after %d steps", steps.get(i));
      double[][] line = survey.grid().alongX(fields.get(i), survey.middle().y());
      new Heatmap(title, line, alongX(), deep())
          .draw(canvas, new Frame(70, 40 + 240.0 * i, WIDTH - 100, 150));
    }
    write(canvas, "fields");
  }

  /** The change of the image with depth; of a box, two slices through its middle. */
  void image(Stack stack) throws IOException {
    Grid grid = survey.grid();
    String title =
        String.format(
            Locale.ROOT, "Image of %d shots: its change with depth", survey.sources().size());
    double[][] change = stack.derivative();
    double[][] slice = grid.alongX(change, grid.yMeters() / 2);
    image(grid.isPlane() ? "image" : "image-x", new Heatmap(title, slice, alongX(), deep()));
    if (!grid.isPlane()) {
      double[][] across = grid.alongY(change, grid.xMeters() / 2);
      image("image-y", new Heatmap(title, across, new Axis("y (m)", grid.yMeters()), deep()));
    }
  }

  private void image(String name, Heatmap map) throws IOException {
    ImageCanvas canvas = new ImageCanvas(WIDTH, HEIGHT);
    map.draw(canvas, WHOLE);
    write(canvas, name);
  }

  private Axis alongX() {
    return new Axis(survey.grid().isPlane() ? "distance (m)" : "x (m)", survey.grid().xMeters());
  }

  private Axis deep() {
    return new Axis("depth (m)", survey.grid().zMeters());
  }

  /** The bytes of each level over the calls of the run. */
  void occupancy(List<RunFigures.Sample> samples) throws IOException {
    ImageCanvas canvas = new ImageCanvas(WIDTH, HEIGHT);
    occupancy(canvas, samples);
    write(canvas, "occupancy");
  }

  /** Draws the bytes of each level; the samples are equally many calls apart. */
  static void occupancy(Canvas canvas, List<RunFigures.Sample> samples) {
    text(canvas, 70, 30, "Bytes in use, over the calls of the program", true, Anchor.START);
    double most =
        samples.stream()
            .mapToDouble(sample -> Math.max(sample.deviceBytes(), sample.fileBytes()))
            .max()
            .orElse(1);
    for (int level = 0; level < LEVELS.length; level++) {
      List<Spot> line = new ArrayList<>();
      for (int i = 0; i < samples.size(); i++) {
        long bytes = level == 0 ? samples.get(i).deviceBytes() : samples.get(i).fileBytes();
        double x = WHOLE.left() + WHOLE.width() * i / Math.max(1, samples.size() - 1);
        line.add(new Spot(x, WHOLE.top() + WHOLE.height() * (1 - bytes / Math.max(1, most))));
      }
      if (line.size() > 1) {
        canvas.line(line, new Pen(LEVELS[level], 2, 0));
      }
      double x = WHOLE.left() + 20 + level * 160;
      canvas.line(
          new Spot(x, HEIGHT - 20), new Spot(x + 30, HEIGHT - 20), new Pen(LEVELS[level], 3, 0));
      text(canvas, x + 38, HEIGHT - 16, level == 0 ? "DEVICE" : "NODE", false, Anchor.START);
    }
    double bottom = WHOLE.top() + WHOLE.height();
    canvas.line(
        List.of(
            new Spot(WHOLE.left(), WHOLE.top()),
            new Spot(WHOLE.left(), bottom),
            new Spot(WHOLE.left() + WHOLE.width(), bottom)),
        new Pen(INK, 1, 0));
    for (int tick = 0; tick <= TICKS; tick++) {
      double y = bottom - WHOLE.height() * tick / TICKS;
      String label = String.format(Locale.ROOT, "%.0f MiB", most * tick / TICKS / (1 << 20));
      text(canvas, WHOLE.left() - 6, y + 4, label, false, Anchor.END);
    }
    calls(canvas, bottom, (samples.size() - 1L) * WaveProcess.CALLS_PER_LINE);
  }

  private static void calls(Canvas canvas, double bottom, long last) {
    for (int tick = 0; tick <= TICKS; tick++) {
      double x = WHOLE.left() + WHOLE.width() * tick / TICKS;
      canvas.line(new Spot(x, bottom), new Spot(x, bottom + 4), new Pen(INK, 1, 0));
      String label = String.valueOf(Math.max(0, last) * tick / TICKS);
      text(canvas, x, bottom + 18, label, false, Anchor.MIDDLE);
    }
    double middle = WHOLE.left() + WHOLE.width() / 2;
    text(canvas, middle, bottom + 36, "calls since the start", false, Anchor.MIDDLE);
  }

  private static void text(
      Canvas canvas, double x, double y, String text, boolean bold, Anchor anchor) {
    canvas.text(new Spot(x, y), text, new TextStyle(INK, bold ? 15 : 12, bold, anchor));
  }

  private void write(ImageCanvas canvas, String name) throws IOException {
    Path file = directory.resolve(name + ".png");
    if (!ImageIO.write(canvas.image(), "png", file.toFile())) {
      throw new IOException(file + ": this Java has no encoder for PNG");
    }
  }
}
