package io.cairn.lab.bench.flush;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.JsonOption;
import io.cairn.cli.Table;
import io.cairn.cli.Units;
import io.cairn.lab.LabCommand;
import io.cairn.lab.bench.flush.FlushReport.Beside;
import io.cairn.lab.bench.flush.FlushReport.Captures;
import io.cairn.lab.bench.flush.FlushReport.Differential;
import io.cairn.lab.bench.flush.FlushReport.Overload;
import io.cairn.lab.measure.MeasuredMachine;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn-lab bench flush}: captures, NODE, STORE and restores beside bare loops. */
@Command(
    name = "flush",
    description = {
      "Capture a state, send it to NODE and to STORE on an embedded HDFS, and restore it.",
      "Plain copies, a file channel and a bare client of HDFS take turns with Cairn on the same"
          + " bytes. Takes minutes, 5 GiB of shared memory and 8 GiB of disk with the defaults."
    })
public final class BenchFlushCommand implements LabCommand {
  private static final int RUNS = 3;
  private static final int DIRTY_PERCENT = 10;

  @Option(
      names = "--mib",
      paramLabel = "N",
      split = ",",
      defaultValue = "256,1024",
      description =
          "Sizes of the state; the last one goes to NODE and STORE. Default:"
              + " ${DEFAULT-VALUE}.")
  private List<Integer> sizes = List.of();

  @Option(
      names = "--captures",
      paramLabel = "N",
      defaultValue = "40",
      description = "Captures per run; three runs. Default: ${DEFAULT-VALUE}.")
  private int captures;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Checkpoints that go to NODE and STORE. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "How long the store is too slow. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Mixin private JsonOption json = new JsonOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    FlushReport report = measure(spec.commandLine().getErr());
    json.print(report, out -> print(report, out));
    return report.passed() ? ExitCodes.GOOD : ExitCodes.BAD;
  }

  private FlushReport measure(PrintWriter progress) throws IOException {
    int last = sizes.get(sizes.size() - 1);
    List<Captures> all = new ArrayList<>();
    try (Scratch scratch = Scratch.create()) {
      for (int mib : sizes) {
        progress.printf(Locale.ROOT, "captures of %d MiB%n", mib);
        all.add(new CaptureBenchmark(mib, captures, RUNS).run(scratch));
      }
      progress.printf(Locale.ROOT, "NODE, STORE and restore with %d MiB%n", last);
      LevelsBenchmark.Ways ways = new LevelsBenchmark(last, rounds).run(scratch);
      return new FlushReport(
          Instant.now().toString(),
          MeasuredMachine.current(),
          last,
          all,
          ways.node(),
          ways.store(),
          ways.restore(),
          List.of(differential(scratch, progress, last)),
          overload(scratch, progress));
    }
  }

  private static Differential differential(Scratch scratch, PrintWriter progress, int mib)
      throws IOException {
    progress.printf(Locale.ROOT, "NODE with %d MiB, of which %d %% change%n", mib, DIRTY_PERCENT);
    return new DifferentialBenchmark(mib, DIRTY_PERCENT).run(scratch);
  }

  private Overload overload(Scratch scratch, PrintWriter progress) throws IOException {
    progress.printf(
        Locale.ROOT, "a slow store, %d s before and during, and until it recovers%n", seconds);
    return new OverloadBenchmark(seconds).run(scratch);
  }

  private static void print(FlushReport report, PrintWriter out) {
    out.printf("%s%n%s%n%n", report.machine(), report.date());
    Table captures = new Table(">MiB", ">copy ms", ">capture p50 ms", ">p95", ">capture / copy");
    for (Captures one : report.captures()) {
      captures.row(
          one.mib(),
          millis(one.copyMillis()),
          millis(one.captureMillis().p50()),
          millis(one.captureMillis().p95()),
          ratio(one.captureMillis().p50() / one.copyMillis()));
    }
    captures.lines().forEach(out::println);
    out.println();
    Table ways = new Table("way, " + report.mib() + " MiB", ">bare ms", ">Cairn ms", ">share");
    row(ways, "to NODE", report.node());
    row(ways, "to STORE", report.store());
    row(ways, "back from STORE", report.restore());
    ways.lines().forEach(out::println);
    out.println();
    Overload overload = report.overload();
    out.printf(
        Locale.ROOT,
        "%d s with a store that is ten times too slow: peak %s of %s, %d skipped, %d lost; STORE"
            + " every %d before, %d during, %d after %.0f s%n%n",
        overload.seconds(),
        Units.bytes(overload.peakBytes()),
        Units.bytes(overload.limitBytes()),
        overload.skipped(),
        overload.lost(),
        overload.storeEvery().before(),
        overload.storeEvery().during(),
        overload.storeEvery().after(),
        overload.recoverySeconds());
    report.bars().forEach(out::println);
  }

  private static void row(Table table, String name, Beside beside) {
    table.row(name, millis(beside.bareMillis()), millis(beside.millis()), ratio(beside.share()));
  }

  private static String millis(double millis) {
    return String.format(Locale.ROOT, millis < 100 ? "%.2f" : "%.0f", millis);
  }

  private static String ratio(double ratio) {
    return String.format(Locale.ROOT, "%.2f", ratio);
  }
}
