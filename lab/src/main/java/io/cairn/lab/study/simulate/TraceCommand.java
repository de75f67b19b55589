package io.cairn.lab.study.simulate;

import io.cairn.cli.Units;
import io.cairn.cli.WritableDirectory;
import io.cairn.lab.measure.Bench;
import io.cairn.lab.measure.BenchReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
final class TraceCommand extends Bench {
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

  @Option(
      names = "--chart",
      paramLabel = "DIR",
      converter = WritableDirectory.class,
      description = "Draw figures into this directory, each as PNG and as SVG.")
  private @Nullable Path charts;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  protected void measure(BenchReport report) throws IOException {
    String bytesColumn = column == null ? Traces.defaultColumn(trace) : column;
    Trace measured = scaled(Traces.read(trace, bytesColumn));
    List<Long> caches = cacheMegabytes.stream().map(this::cacheBytes).toList();
    Simulation simulation = new Simulation(measured, NamedTopology.of(topology), caches, seed);
    report.note(
        "column %s, %s, %s, chunks of %s, seed %d",
        bytesColumn,
        Units.count(measured.ranks(), "rank"),
        Units.count(measured.snapshots(), "snapshot"),
        Units.decimalBytes(TraceReplay.CHUNK_BYTES),
        seed);
    report.note("waits: snapshots that somebody has to wait for");
    report.note(
        "%: how much longer than the optimum such a snapshot blocks (min-time sends whole chunks,"
            + " so a remainder of less takes as long)");
    simulation.add(report.table("µs: time to find a plan"));
    if (charts != null) {
      simulation.draw(charts);
    }
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
}
