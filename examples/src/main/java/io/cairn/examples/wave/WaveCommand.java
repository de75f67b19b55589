package io.cairn.examples.wave;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.JsonOption;
import io.cairn.cli.LocalTree;
import io.cairn.cli.Progress;
import io.cairn.cli.Table;
import io.cairn.cli.Units;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn demo wave}: seismic imaging whose states exceed the device. */
@Command(
    name = "wave",
    description = {
      "Image the earth by waves: store forward, read backward, equal to the last bit.",
      "%nReverse-time migration of a survey. A shot's states exceed the device cache, so most of"
          + " them go down to files and come back before they are read. Exits with 1 unless the"
          + " image has the bits of a run that keeps all states in memory."
    })
public final class WaveCommand implements Callable<Integer> {
  private static final double TRACE_BOUND = 1e-4;

  /** How much larger the relative error of the image may be than that of the fields. */
  private static final double MOST_GAIN = 10;

  @Option(
      names = "--dimensions",
      defaultValue = "2",
      description = "2: nine shots over a plane; 3: four over a box (${DEFAULT-VALUE}).")
  private int dimensions;

  @Option(
      names = "--steps",
      description = "Steps of a shot, 80 to 4000 (800; in three dimensions 230).")
  private @Nullable Integer steps;

  @Option(
      names = "--cache-mib",
      defaultValue = "20",
      description = "Device cache for states (${DEFAULT-VALUE}).")
  private int cacheMib;

  @Option(
      names = "--ranks",
      defaultValue = "1",
      description = {
        "Ranks of a coupled group, 1 to 16: each has a slab of the grid, a thread and an equal part"
            + " of the cache (${DEFAULT-VALUE})."
      })
  private int ranks;

  @Option(
      names = "--bound",
      defaultValue = "0",
      description = {
        "Store fields with an error of at most this part of the largest value so far, such as"
            + " 1e-4.",
        "The image may then differ by ten times as much."
      })
  private double bound;

  @Option(
      names = "--kill",
      description = "Kill the process in the forward phase of a shot, and backward in another.")
  private boolean kill;

  @Option(
      names = "--pictures",
      paramLabel = "DIR",
      defaultValue = "cairn-wave",
      description = "Where the pictures go, as PNG (${DEFAULT-VALUE}).")
  private Path pictures = Path.of("cairn-wave");

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = {
        "Write the packed bytes of each step and rank of the first shot to FILE, too, for"
            + " bin/cairn-lab simulate trace.",
        "Without --bound, they are packed with 1e-4."
      })
  private @Nullable Path trace;

  @Mixin private JsonOption json = new JsonOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    int steps = this.steps != null ? this.steps : dimensions == 3 ? 230 : 800;
    if (steps < 80
        || steps > 4000
        || cacheMib < 1
        || cacheMib > 4096
        || !(bound >= 0 && bound < 0.1)
        || ranks < 1
        || ranks > 16) {
      throw new IllegalArgumentException(
          "give --steps 80 to 4000, --cache-mib 1 to 4096, --bound 0 to 0.1, --ranks 1 to 16");
    }
    long start = System.nanoTime();
    Survey survey = Survey.of(dimensions, steps);
    Shots shots = new Shots(survey);
    if (trace != null) {
      double within = bound > 0 ? bound : TRACE_BOUND;
      SlabTrace.write(trace, shots, survey.sources().get(0), ranks, within);
    }
    Stack expected = inMemory(shots);
    Path root = Files.createTempDirectory("cairn-wave-");
    try {
      say("States in a cache of " + cacheMib + " MiB, and below it");
      WaveRun.Size size = new WaveRun.Size(dimensions, steps, cacheMib, bound, ranks);
      WaveRun run = new WaveRun(root, size, kills(survey), this::say);
      run.complete();
      byte[] image = Files.readAllBytes(root.resolve("image"));
      double[][] record = shots.record(survey.middle());
      WaveReport report = report(survey, record, expected, image, run.figures(), start);
      draw(shots, record, expected, run.figures());
      json.print(report, out -> print(report, out));
      boolean good =
          bound > 0 ? report.imageRelativeError() <= MOST_GAIN * bound : report.identical();
      return good ? ExitCodes.GOOD : ExitCodes.BAD;
    } finally {
      LocalTree.delete(root);
    }
  }

  /** In the forward phase of an early shot, and in the backward phase of a later one. */
  private List<WaveRun.Kill> kills(Survey survey) {
    int shots = survey.sources().size();
    int steps = survey.steps();
    return kill
        ? List.of(
            new WaveRun.Kill("forward", shots / 4, steps / 2 / 20 * 20),
            new WaveRun.Kill("backward", shots * 3 / 5, steps * 19 / 20 / 20 * 20))
        : List.of();
  }

  private static Stack inMemory(Shots shots) {
    Stack stack = new Stack(shots.survey().grid());
    List<Source> sources = shots.survey().sources();
    try (Progress progress = Progress.counting("in memory", sources.size(), "shot")) {
      for (Source source : sources) {
        Migration migration = shots.migration(source);
        Shots.runInMemory(migration, shots.survey().steps());
        stack.add(migration.image(), migration.illumination());
        progress.advance(1);
      }
    }
    return stack;
  }

  private static WaveReport report(
      Survey survey,
      double[][] record,
      Stack expected,
      byte[] image,
      RunFigures figures,
      long start) {
    Transfers transfers = figures.transfers();
    return new WaveReport(
        Arrays.equals(image, expected.bytes()),
        expected.relativeError(image),
        survey.earth().faces().stream()
            .map(face -> new WaveReport.Face(face.name(), expected.worstMeters(face)))
            .toList(),
        peaks(survey, record),
        figures.recomputed(),
        transfers.levels(),
        transfers.waitNanos() / 1e6,
        (System.nanoTime() - start) / 1e9);
  }

  /**
   * The steps of the direct wave and of its echoes, each within a period of where it ought to be.
   */
  private static List<Integer> peaks(Survey survey, double[][] record) {
    Source source = survey.middle();
    double[] trace = record[survey.receiverAt(source)];
    double period = 1 / survey.hertz() / survey.dt();
    return survey.echoes(source).stream()
        .filter(step -> step + period <= trace.length)
        .map(step -> peak(trace, (int) Math.max(0, step - period), (int) (step + period)))
        .toList();
  }

  private static int peak(double[] trace, int from, int to) {
    return IntStream.range(from, to)
        .reduce((a, b) -> Math.abs(trace[a]) >= Math.abs(trace[b]) ? a : b)
        .orElse(from);
  }

  private void draw(Shots shots, double[][] record, Stack image, RunFigures figures)
      throws IOException {
    Survey survey = shots.survey();
    WavePictures to = new WavePictures(pictures, survey);
    to.seismogram(record);
    int quarter = survey.steps() / 4;
    List<Integer> moments = List.of(quarter, 2 * quarter, 3 * quarter);
    to.fields(shots.fields(survey.middle(), moments), moments);
    to.image(image);
    to.occupancy(figures.samples());
  }

  private void print(WaveReport report, PrintWriter out) {
    Table table = new Table("figure", ">value");
    table.row("identical to the run in memory", report.identical() ? "yes" : "NO");
    table.row(
        "relative difference", String.format(Locale.ROOT, "%.1e", report.imageRelativeError()));
    for (WaveReport.Face face : report.interfaces()) {
      table.row(face.name() + " interface, worst", number("%.1f m", face.worstMeters()));
    }
    table.row("peaks in the middle (steps)", report.peaks().toString());
    for (Transfers.LevelBytes level : report.levels()) {
      String way =
          level.level().equals("DEVICE") ? "down from %s, up to it" : "down to %s, up again";
      table.row(
          way.formatted(level.level()),
          Units.bytes(level.bytesDown()) + ", " + Units.bytes(level.bytesUp()));
    }
    table.row("recomputed steps", Long.toString(report.recomputedSteps()));
    table.row("waited for states", Units.seconds(report.waitMillis() / 1e3));
    table.row("all in all", Units.seconds(report.seconds()));
    table.lines().forEach(out::println);
    out.println("Pictures: " + pictures);
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private void say(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(line);
    err.flush();
  }
}
