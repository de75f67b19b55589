package io.cairn.lab.bench.scale;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.JsonOption;
import io.cairn.cli.Table;
import io.cairn.cli.Units;
import io.cairn.lab.LabCommand;
import io.cairn.lab.bench.scale.ScaleReport.Run;
import io.cairn.lab.bench.scale.ScaleReport.Usage;
import io.cairn.lab.measure.MeasuredMachine;
import io.cairn.lab.measure.Scratch;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cairn-lab bench scale}: whether one driver keeps up with many ranks. */
@Command(
    name = "scale",
    description = {
      "Coordinate the ranks of one coupled group from a driver in a process of its own, and report",
      "how long seals take and what the driver uses. The ranks run here, and have no data."
    })
public final class BenchScaleCommand implements LabCommand {
  @Option(
      names = "--ranks",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Ranks of the group. Default: ${DEFAULT-VALUE}.")
  private int ranks;

  @Option(
      names = "--per-executor",
      paramLabel = "N",
      split = ",",
      defaultValue = "8,1",
      description = "Ranks per executor; one run each. Default: ${DEFAULT-VALUE}.")
  private List<Integer> perExecutor = List.of();

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "10",
      description = "Iterations per second. Default: ${DEFAULT-VALUE}.")
  private int rate;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "20",
      description = "Duration of a training. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() throws Exception {
    List<Run> runs = new ArrayList<>();
    try (Scratch scratch = Scratch.create()) {
      Path stores = Files.createDirectories(scratch.onDisk("stores"));
      for (int each : perExecutor) {
        runs.add(new ScaleBenchmark(stores).run(new ScalePlan(ranks, each, rate, seconds)));
      }
    }
    ScaleReport report =
        new ScaleReport(
            Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
            MeasuredMachine.current(),
            runs);
    json.print(report, out -> print(report, out));
    return ExitCodes.GOOD;
  }

  private static void print(ScaleReport report, PrintWriter out) {
    out.printf("%s%n%s%n%n", report.machine(), report.date());
    Table table =
        new Table(
            "ranks",
            ">per executor",
            ">begin ms",
            ">settled",
            ">settle ms p50",
            ">p99",
            ">requests/s",
            ">idle",
            ">processors",
            ">threads",
            ">heap");
    for (Run run : report.runs()) {
      Usage busy = run.training();
      table.row(
          Integer.toString(run.plan().ranks()),
          Integer.toString(run.plan().ranksPerExecutor()),
          number(run.beginMillis()),
          run.settled() + "/" + run.plan().iterations(),
          number(run.settleMillis().p50()),
          number(run.settleMillis().p99()),
          number(busy.requestsPerSecond()),
          number(run.idle().requestsPerSecond()),
          String.format(Locale.ROOT, "%.2f", busy.processors()),
          Integer.toString(busy.threads()),
          Units.bytes(busy.heapBytes()));
    }
    table.lines().forEach(out::println);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.0f", value);
  }
}
