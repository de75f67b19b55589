package io.cairn.lab.bench.small;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.JsonOption;
import io.cairn.cli.Table;
import io.cairn.cli.Units;
import io.cairn.lab.LabCommand;
import io.cairn.lab.bench.small.SmallReport.Case;
import io.cairn.lab.measure.MeasuredMachine;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code cairn-lab bench small}: what checkpoints cost trainings of few bytes and short iterations.
 */
@Command(
    name = "small",
    description = {
      "Run loops and a small network with checkpoints and without, in turns, and compare.",
      "Modes: the defaults, every iteration, and every iteration copied beside the training."
          + " Takes a minute per loop and size."
    })
public final class BenchSmallCommand implements LabCommand {
  private static final int BATCH = 256;

  @Option(
      names = "--loops",
      paramLabel = "MILLIS",
      split = ",",
      defaultValue = "3,10,30,100",
      description = "Lengths of an iteration. Default: ${DEFAULT-VALUE}.")
  private List<Double> loops = List.of();

  @Option(
      names = "--bytes",
      paramLabel = "N",
      split = ",",
      defaultValue = "100000,1000000,10000000",
      description = "Sizes of the state. Default: ${DEFAULT-VALUE}.")
  private List<Integer> bytes = List.of();

  @Option(names = "--only-network", description = "Leave the loops out.")
  private boolean onlyNetwork;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "20",
      description = "Pairs of blocks per mode. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--block",
      paramLabel = "MILLIS",
      defaultValue = "300",
      description = "The length of a block. Default: ${DEFAULT-VALUE}.")
  private int block;

  @Mixin private JsonOption json = new JsonOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    PrintWriter progress = spec.commandLine().getErr();
    SmallBenchmark benchmark = new SmallBenchmark(block, rounds);
    requireLoops();
    List<Case> cases = new ArrayList<>();
    for (double millis : onlyNetwork ? List.<Double>of() : loops) {
      for (int size : bytes) {
        cases.addAll(
            benchmark.run("loop", (mode, scratch) -> new PlainLoop(mode, scratch, size, millis)));
        progress.printf(
            Locale.ROOT, "a loop of %.0f ms and %s%n", millis, Units.decimalBytes(size));
      }
    }
    cases.addAll(
        benchmark.run("network", (mode, scratch) -> new SmallNetwork(mode, scratch, BATCH)));
    SmallReport report =
        new SmallReport(
            Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
            MeasuredMachine.withNd4j(),
            cases);
    json.print(report, out -> print(report, out));
    return ExitCodes.GOOD;
  }

  private void requireLoops() {
    loops.stream()
        .filter(millis -> !(millis > 0))
        .findAny()
        .ifPresent(
            millis -> {
              throw new IllegalArgumentException("--loops has " + millis + ": give times above 0");
            });
    bytes.stream()
        .filter(size -> size < PlainLoop.LEAST_BYTES || size % PlainLoop.LEAST_BYTES != 0)
        .findAny()
        .ifPresent(
            size -> {
              throw new IllegalArgumentException(
                  "--bytes has " + size + ": give multiples of " + PlainLoop.LEAST_BYTES);
            });
  }

  private void print(SmallReport report, PrintWriter out) {
    out.printf("%s%n%s%n", report.machine(), report.date());
    out.printf(
        Locale.ROOT, "%d pairs of blocks of %d ms; medians and quartiles%n%n", rounds, block);
    Table table =
        new Table(
            "training",
            ">bytes",
            ">iteration ms",
            "mode",
            ">captured",
            ">overhead",
            ">quartiles",
            ">all, settled",
            ">at STORE",
            ">cpu µs");
    for (Case line : report.cases()) {
      table.row(
          line.training(),
          Units.decimalBytes((double) line.bytes()),
          String.format(Locale.ROOT, "%.2f", line.iterationMillis()),
          line.mode().name().toLowerCase(Locale.ROOT),
          String.format(Locale.ROOT, "%.1f %%", line.capturedPercent()),
          String.format(Locale.ROOT, "%+.1f %%", line.overheadPercent()),
          String.format(
              Locale.ROOT,
              "%+.1f … %+.1f",
              line.quartilePercent().get(0),
              line.quartilePercent().get(1)),
          String.format(Locale.ROOT, "%+.1f %%", line.settledPercent()),
          Long.toString(line.stored()),
          String.format(Locale.ROOT, "%.0f", line.cpuMicros()));
    }
    table.lines().forEach(out::println);
  }
}
