package io.cairn.lab.study.simulate;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.JsonOption;
import io.cairn.cli.Table;
import io.cairn.cli.Units;
import io.cairn.cli.WritableDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cairn-lab simulate trace}: replays a trace with every algorithm. */
@Command(
    name = "trace",
    description = {
      "Replay checkpoint sizes, snapshot by snapshot, with every scheduling algorithm.",
      "Prints how much longer than the optimum each lets the training wait, and how long it takes"
          + " to find its plan; does the same for sizes drawn from the trace's histogram, and for"
          + " 16 to 128 devices behind an NVSwitch."
    })
final class TraceCommand implements Callable<Integer> {
  private static final double MOST_TOTAL = 1e15;
  private static final double MOST_CACHE = 1e7;

  @Option(
      names = "--trace",
      defaultValue = "acoustic-wave-slab8",
      paramLabel = "CSV|NAME",
      description =
          "A file with columns snapshot, rank and bytes, or one of two measured traces:"
              + " acoustic-wave-slab8 (the default), acoustic-wave-blocks4x2.")
  private String trace = "";

  @Option(
      names = "--column",
      paramLabel = "NAME",
      description =
          "The column with the bytes; by default 'bytes'. The measured traces have raw_bytes,"
              + " bitpack_bytes and zlib_bytes, their default.")
  private @Nullable String column;

  @Option(
      names = "--scale-total-gb",
      paramLabel = "GB",
      description =
          "Scale sizes so that those of each rank sum up to this; by default 53 for the measured"
              + " traces, and no scaling for others.")
  private @Nullable Double totalGigabytes;

  @Option(
      names = "--topology",
      defaultValue = "dgx1",
      paramLabel = "NAME|FILE",
      description =
          "A preset such as dgx1 (the default), dgx-h100 or nvswitch:8, or a file: JSON, or what"
              + " 'nvidia-smi topo -m' prints.")
  private String topology = "";

  @Option(
      names = "--cache-mb",
      split = ",",
      defaultValue = "80,128,160",
      paramLabel = "MB",
      description = "Free device memory per rank; by default ${DEFAULT-VALUE}.")
  private List<Double> cacheMegabytes = List.of();

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "Of the sizes that are drawn; by default ${DEFAULT-VALUE}.")
  private long seed;

  @Mixin private JsonOption json = new JsonOption();

  @Option(
      names = "--chart",
      paramLabel = "DIR",
      converter = WritableDirectory.class,
      description = "Draw figures into this directory, each as PNG and as SVG.")
  private @Nullable Path charts;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** The content of {@code --json}. */
  record Report(
      String trace,
      String column,
      String topology,
      int ranks,
      int snapshots,
      long chunkBytes,
      long seed,
      List<ReplayResult> results) {}

  @Override
  public Integer call() throws IOException {
    String bytesColumn = column == null ? Traces.defaultColumn(trace) : column;
    Trace measured = scaled(Traces.read(trace, bytesColumn));
    List<Long> caches = cacheMegabytes.stream().map(this::cacheBytes).toList();
    Simulation simulation = new Simulation(measured, NamedTopology.of(topology), caches, seed);
    List<ReplayResult> results = simulation.results();
    if (charts != null) {
      simulation.draw(charts);
    }
    int ranks = measured.ranks();
    int snapshots = measured.snapshots();
    json.print(
        new Report(
            trace, bytesColumn, topology, ranks, snapshots, TraceReplay.CHUNK_BYTES, seed, results),
        out -> print(results, out));
    return ExitCodes.GOOD;
  }

  private Trace scaled(Trace read) {
    if (totalGigabytes == null) {
      return Traces.SHIPPED.contains(trace) ? read.scaledTo(Traces.SHIPPED_TOTAL_BYTES) : read;
    }
    double total = totalGigabytes * 1e9;
    if (!(total >= 1 && total <= MOST_TOTAL)) {
      throw refused("--scale-total-gb must be above 0 and at most 1e6, not " + totalGigabytes);
    }
    return read.scaledTo(total);
  }

  private long cacheBytes(double megabytes) {
    if (!(megabytes >= 0 && megabytes <= MOST_CACHE)) {
      throw refused("--cache-mb must be 0 to 1e7, not " + megabytes);
    }
    return Math.round(megabytes * 1e6);
  }

  private ParameterException refused(String why) {
    return new ParameterException(spec.commandLine(), why);
  }

  private static void print(List<ReplayResult> results, PrintWriter out) {
    Table table =
        new Table(
            "trace",
            "topology",
            ">cache",
            ">waits",
            "algorithm",
            ">median %",
            ">p90 %",
            ">max %",
            ">median µs",
            ">max µs");
    for (ReplayResult each : results) {
      table.row(
          each.trace(),
          each.topology(),
          Units.decimalBytes(each.cacheMegabytes() * 1e6),
          each.blocking() + "/" + each.snapshots(),
          each.algorithm(),
          number(each.overheadPercent().median()),
          number(each.overheadPercent().p90()),
          number(each.overheadPercent().max()),
          number(each.solveMicros().median()),
          number(each.solveMicros().max()));
    }
    table.lines().forEach(out::println);
    out.println();
    out.println("waits: snapshots that somebody has to wait for, of all");
    out.println("%: how much longer than the optimum such a snapshot blocks");
    out.println("   (min-time sends whole chunks of 1 MB, so a remainder of less takes as long)");
    out.println("µs: time to find a plan");
  }

  private static String number(double value) {
    String text = String.format(Locale.ROOT, value < 9.95 ? "%.1f" : "%.0f", value);
    return text.equals("-0.0") ? "0.0" : text;
  }
}
