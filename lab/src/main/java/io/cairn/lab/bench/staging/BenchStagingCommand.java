package io.cairn.lab.bench.staging;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.JsonOption;
import io.cairn.cli.Table;
import io.cairn.engine.config.Sizes;
import io.cairn.lab.LabCommand;
import io.cairn.lab.bench.staging.StagingReport.Figures;
import io.cairn.lab.bench.staging.StagingReport.Way;
import io.cairn.lab.measure.MeasuredMachine;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cairn-lab bench staging}: checkpoints by their owner and by a staging node. */
@Command(
    name = "staging",
    description = {
      "Train with checkpoints that go to STORE by the training's own process, then by a staging"
          + " node.",
      "The first half of each run gives the parameters of the model of non-blocking checkpoints;"
          + " its prediction stands beside the second half. The default takes some two minutes."
    })
public final class BenchStagingCommand implements LabCommand {
  @Option(
      names = "--mib",
      paramLabel = "N",
      defaultValue = "64",
      description = "Size of the state. Default: ${DEFAULT-VALUE}.")
  private int mib;

  @Option(
      names = "--millis",
      paramLabel = "N",
      defaultValue = "50",
      description = "Work of an iteration. Default: ${DEFAULT-VALUE}.")
  private int millis;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "60",
      description = "From one checkpoint at STORE to the next. Default: ${DEFAULT-VALUE}.")
  private int iterations;

  @Option(
      names = "--patterns",
      paramLabel = "N",
      defaultValue = "5",
      description = "Patterns of each half of a run. Default: ${DEFAULT-VALUE}.")
  private int patterns;

  @Option(
      names = "--rate",
      paramLabel = "SIZE",
      defaultValue = "50m",
      description = "Bytes per second of the staging node. Default: ${DEFAULT-VALUE}.")
  private String rate = "";

  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() throws IOException {
    if (mib < 1 || mib > 1024 || millis < 1 || iterations < 2 || patterns < 1) {
      throw new IllegalArgumentException(
          "give --mib 1 to 1024, --iterations 2 or more, --millis and --patterns 1 or more");
    }
    long bytesPerSecond =
        Sizes.parse(rate)
            .orElseThrow(
                () -> new IllegalArgumentException("--rate is '" + rate + "': give one like 50m"));
    StagingReport report = measure(bytesPerSecond);
    json.print(report, out -> print(report, out));
    boolean all = report.ways().stream().allMatch(way -> way.sealed() == patterns);
    return all ? ExitCodes.GOOD : ExitCodes.BAD;
  }

  private StagingReport measure(long bytesPerSecond) throws IOException {
    StagingBenchmark benchmark =
        new StagingBenchmark(mib, iterations, patterns, StagingBenchmark.roundsOf(millis / 1000.0));
    try (Scratch scratch = Scratch.create()) {
      double work = benchmark.quietSeconds(scratch);
      List<Way> ways =
          List.of(
              benchmark.byOwner(scratch, work), benchmark.byServer(scratch, work, bytesPerSecond));
      return new StagingReport(
          Instant.now().toString(),
          MeasuredMachine.current(),
          mib,
          iterations,
          patterns,
          work * 1000,
          ways);
    }
  }

  private static void print(StagingReport report, PrintWriter out) {
    out.printf("%s%n%s%n", report.machine(), report.date());
    out.printf(
        Locale.ROOT,
        "%d MiB, %d iterations of %.1f ms to a pattern, %d patterns%n%n",
        report.mib(),
        report.patternIterations(),
        report.workMillis(),
        report.patterns());
    Table table = new Table("by", "of a pattern", ">measured s", ">model s", ">off by");
    for (Way way : report.ways()) {
      Figures found = way.measured();
      Figures said = way.predicted();
      row(table, way.name(), "all of it", found.patternSeconds(), said.patternSeconds());
      row(table, "", "stood still", found.stallSeconds(), said.stallSeconds());
      row(table, "", "slowed down", found.slowDownSeconds(), said.slowDownSeconds());
      row(table, "", "until sealed at STORE", found.sealSeconds(), said.sealSeconds());
      if (way.bytesPerSecond() > 0) {
        row(table, "", "the same, by the rate", found.sealSeconds(), way.leastSealSeconds());
      }
    }
    table.lines().forEach(out::println);
  }

  private static void row(Table table, String by, String what, double measured, double model) {
    table.row(
        by,
        what,
        String.format(Locale.ROOT, "%.3f", measured),
        String.format(Locale.ROOT, "%.3f", model),
        String.format(Locale.ROOT, "%.1f %%", 100 * (model - measured) / measured));
  }
}
