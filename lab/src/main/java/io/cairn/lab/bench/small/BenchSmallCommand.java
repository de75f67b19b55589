package io.cairn.lab.bench.small;

import io.cairn.cli.CairnCommand;
import io.cairn.cli.ExitCodes;
import io.cairn.cli.Json;
import io.cairn.cli.Table;
import io.cairn.cli.Units;
import io.cairn.lab.bench.small.SmallBenchmark.Plan;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn bench small}: the fixed cost of a capture. */
@Command(
    name = "small",
    description = {
      "Capture 10 KB after each iteration of a loop, and report what the training thread pays.",
      "The first 200 captures run code that the JVM has not compiled yet. Takes half a minute."
    })
public final class BenchSmallCommand implements CairnCommand {
  private static final int BYTES = 10_000;
  private static final int REGIONS = 4;
  private static final int COLD = 200;

  @Option(
      names = "--interval",
      paramLabel = "MICROS",
      defaultValue = "10000",
      description = "Computation between two captures. Default: ${DEFAULT-VALUE}.")
  private long interval;

  @Option(
      names = "--captures",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Captures after the first 200. Default: ${DEFAULT-VALUE}.")
  private int captures;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the figures to FILE, too.")
  private @Nullable Path json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    SmallReport report =
        new SmallBenchmark(BYTES, REGIONS, interval)
            .run(List.of(new Plan("first 200", COLD), new Plan("after them", captures)));
    if (json != null) {
      Json.write(json, report);
    }
    print(report, spec.commandLine().getOut());
    return ExitCodes.GOOD;
  }

  private static void print(SmallReport report, PrintWriter out) {
    out.printf("%s%n%s%n", report.machine(), report.date());
    out.printf(
        Locale.ROOT,
        "%s in %d regions, every %d µs%n%n",
        Units.bytes(report.bytes()),
        report.regions(),
        report.intervalMicros());
    Table table =
        new Table(
            "captures",
            ">cpu µs p50",
            ">p90",
            ">p99",
            ">wall µs p50",
            ">p90",
            ">p99",
            ">allocated");
    for (SmallReport.Phase phase : report.phases()) {
      table.row(
          phase.name(),
          micros(phase.cpuMicros().p50()),
          micros(phase.cpuMicros().p90()),
          micros(phase.cpuMicros().p99()),
          micros(phase.wallMicros().p50()),
          micros(phase.wallMicros().p90()),
          micros(phase.wallMicros().p99()),
          Units.bytes(phase.allocatedBytes()));
    }
    table.lines().forEach(out::println);
  }

  private static String micros(double micros) {
    return String.format(Locale.ROOT, "%.1f", micros);
  }
}
