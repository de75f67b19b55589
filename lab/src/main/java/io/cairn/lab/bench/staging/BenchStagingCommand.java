package io.cairn.lab.bench.staging;

import io.cairn.engine.config.Sizes;
import io.cairn.lab.bench.staging.PatternClock.Costs;
import io.cairn.lab.bench.staging.StagingBenchmark.Way;
import io.cairn.lab.measure.Bench;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.Burn;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
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
public final class BenchStagingCommand extends Bench {
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

  @Override
  protected void measure(BenchReport report) throws IOException {
    if (mib < 1 || mib > 1024 || millis < 1 || iterations < 2 || patterns < 1) {
      throw new IllegalArgumentException(
          "give --mib 1 to 1024, --iterations 2 or more, --millis and --patterns 1 or more");
    }
    long bytesPerSecond =
        Sizes.parse(rate)
            .orElseThrow(
                () -> new IllegalArgumentException("--rate is '" + rate + "': give one like 50m"));
    StagingBenchmark benchmark =
        new StagingBenchmark(mib, iterations, patterns, millis, Burn.calibrated());
    try (Scratch scratch = Scratch.create()) {
      double work = benchmark.quietSeconds(scratch);
      List<Way> ways =
          List.of(
              benchmark.byOwner(scratch, work), benchmark.byServer(scratch, work, bytesPerSecond));
      report
          .table("a pattern, and the work of an iteration while nothing is on its way")
          .row()
          .add("MiB", mib)
          .add("iterations", iterations)
          .add("work ms", 1000 * work);
      FigureTable known =
          report.table("parameters of the model, of the first %d patterns", patterns);
      ways.forEach(way -> addParameters(known.row().add("by", way.name()), way));
      FigureTable costs =
          report.table(
              "a pattern: means of the %d patterns after them; seal: their median", patterns);
      ways.forEach(way -> addCosts(costs, way));
      for (Way way : ways) {
        report.atLeast(way.name() + ": checkpoints at STORE", way.sealed(), patterns);
      }
    }
  }

  private static void addParameters(FigureTable.Row row, Way way) {
    row.add("bytes/s at most", way.bytesPerSecond() == 0 ? null : way.bytesPerSecond())
        .add("work s", way.parameters().workSeconds())
        .add("stall s", way.parameters().stallSeconds())
        .add("flush s", way.parameters().flushSeconds())
        .add("slow-down", way.parameters().slowDown());
  }

  private static void addCosts(FigureTable table, Way way) {
    Costs found = way.measured();
    Costs said = way.predicted();
    row(table, way, "all of it", found.patternSeconds(), said.patternSeconds());
    row(table, way, "stood still", found.stallSeconds(), said.stallSeconds());
    row(table, way, "slowed down", found.slowDownSeconds(), said.slowDownSeconds());
    row(table, way, "until sealed at STORE", found.sealSeconds(), said.sealSeconds());
    if (way.bytesPerSecond() > 0) {
      row(table, way, "the same, by the rate", found.sealSeconds(), way.leastSealSeconds());
    }
  }

  private static void row(FigureTable table, Way way, String what, double measured, double model) {
    table
        .row()
        .add("by", way.name())
        .add("of a pattern", what)
        .add("measured s", measured)
        .add("model s", model)
        .add("off by %", 100 * (model - measured) / measured);
  }
}
