package io.cairn.examples.demo;

import io.cairn.cli.CairnCommand;
import io.cairn.cli.ExitCodes;
import io.cairn.cli.JsonOption;
import io.cairn.cli.WritableFile;
import io.cairn.examples.digits.FoldTraining;
import io.cairn.examples.elastic.ElasticCommand;
import io.cairn.examples.trouble.TroubleCommand;
import io.cairn.examples.wave.WaveCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code cairn demo}. */
@Command(
    name = "demo",
    subcommands = {WaveCommand.class, TroubleCommand.class, ElasticCommand.class},
    description = {
      "Train, kill and resume, equal to the last bit.",
      "%nFour-fold cross-validation of a small convolutional network on handwritten digits, as four"
          + " Spark tasks on real executor processes over a real HDFS: once undisturbed, and once"
          + " with an executor killed in mid-training and later the whole machine. Then it runs the"
          + " finished job again, which trains nothing. Takes one to three minutes. Exits with 1"
          + " unless all runs end with the same bits."
    })
public final class DemoCommand implements CairnCommand {
  @Mixin private JsonOption json = new JsonOption();

  @Option(
      names = "--picture",
      paramLabel = "FILE",
      converter = WritableFile.class,
      defaultValue = "cairn-demo.svg",
      description = "Where the picture of the lineage goes; .svg or .png (${DEFAULT-VALUE}).")
  private Path picture = Path.of("cairn-demo.svg");

  @Option(
      names = "--seed",
      defaultValue = "1",
      description =
          "Of data split, weights, dropout and the moments of the kills (${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--executors",
      defaultValue = "2",
      description = "Executor processes, at least 1 (${DEFAULT-VALUE}).")
  private int executors;

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description = "Work in this directory and leave it, with logs, node directory and store.")
  private @Nullable Path keep;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      description = "Any Hadoop file system, or a directory, instead of the embedded HDFS.")
  private @Nullable String store;

  @Option(
      names = "--ui",
      description =
          "Open Spark's UI for each run, and keep the history of all runs open until Enter or"
              + " Ctrl-C.")
  private boolean ui;

  /** Made by the command line. */
  public DemoCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (executors < 1 || executors > 16) {
      throw new IllegalArgumentException("--executors is " + executors + ": give 1 to 16");
    }
    Path work = keep == null ? Files.createTempDirectory("cairn-demo-") : keep.toAbsolutePath();
    Files.createDirectories(work);
    if (Files.exists(work.resolve("disturbed"))) {
      throw new IllegalArgumentException(
          "--keep " + work + " holds an earlier demo: choose another");
    }
    boolean good = false;
    try {
      good = run(work);
      if (ui) {
        DemoHistory.show(work.resolve("event-logs"), work.resolve("history"), remarks(), System.in);
      }
      return good ? ExitCodes.GOOD : ExitCodes.BAD;
    } finally {
      if (keep == null && good) {
        erase(work);
      } else {
        remarks().println("Logs, node directory and embedded store: " + work);
      }
    }
  }

  private boolean run(Path work) throws IOException, InterruptedException {
    if (store != null) {
      return run(work, store);
    }
    remarks().println("Starting HDFS: one NameNode, two DataNodes");
    try (HdfsProcess hdfs = HdfsProcess.start(work.resolve("hdfs"))) {
      boolean good = run(work, hdfs.uri() + "/cairn");
      if (keep != null) {
        hdfs.copyOut("/cairn", work.resolve("store"));
        remarks().println("Store, copied out of HDFS: bin/cairn list " + work.resolve("store"));
      }
      return good;
    }
  }

  private boolean run(Path work, String uri) throws IOException, InterruptedException {
    long start = System.nanoTime();
    remarks().println("Store: " + uri);
    // the store may hold earlier demos: a job of one's own keeps them apart
    String name = "demo-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
    DemoRun plain = demoRun(work, "undisturbed", name + "-undisturbed", uri);
    try (DemoConsole console = console("Undisturbed run")) {
      plain.undisturbed(new DemoNarrator(console));
    }
    DemoRun struck = demoRun(work, "disturbed", name + "-disturbed", uri);
    List<Blows.Kill> kills;
    try (DemoConsole console =
        console("Disturbed run: an executor and later the machine get killed")) {
      kills = struck.disturbed(new DemoNarrator(console));
    }
    DemoRun again = demoRun(work, "rerun", struck.job(), uri);
    double rerunSeconds;
    try (DemoConsole console = console("Finished job, run again")) {
      rerunSeconds = again.undisturbed(new DemoNarrator(console));
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    DemoReport report =
        DemoReport.of(
            new DemoReport.Runs(
                plain.timeline(), struck.timeline(), again.timeline(), rerunSeconds),
            kills,
            seconds);
    draw(new Histories(struck.timeline(), kills).all());
    json.print(report, out -> new DemoSummary(report, out).print(picture));
    return report.problems().isEmpty();
  }

  /** A run in a directory of its own: another run of the same job finds no NODE, only STORE. */
  private DemoRun demoRun(Path work, String kind, String job, String uri) throws IOException {
    return new DemoRun(work.resolve(kind), job, uri, seed, executors, eventLogs(work));
  }

  private Optional<Path> eventLogs(Path work) throws IOException {
    return ui ? Optional.of(Files.createDirectories(work.resolve("event-logs"))) : Optional.empty();
  }

  private DemoConsole console(String title) {
    remarks().println("\n" + title);
    remarks().flush();
    List<String> folds =
        IntStream.range(0, FoldTraining.FOLDS).mapToObj(fold -> "fold-" + fold).toList();
    return DemoConsole.start(folds, new FoldTraining(0, seed, FoldTraining.EPOCHS).iterations());
  }

  private void draw(List<FoldHistory> folds) throws IOException {
    LineagePicture lineage =
        new LineagePicture("Four folds, an executor killed, then the machine", folds);
    if (picture.toString().toLowerCase(Locale.ROOT).endsWith(".png")) {
      lineage.writePng(picture);
    } else {
      lineage.writeSvg(picture);
    }
  }

  private PrintWriter remarks() {
    return json.remarks();
  }

  private static void erase(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
