package io.cairn.lab.bench.scale;

import io.cairn.lab.measure.Bench;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code cairn-lab bench scale}: whether one driver keeps up with many ranks. */
@Command(
    name = "scale",
    description = {
      "Coordinate the ranks of one coupled group from a driver in a process of its own.",
      "Reports how long seals take and what the driver uses. The ranks run here, and have no data."
    })
public final class BenchScaleCommand extends Bench {
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

  @Override
  protected void measure(BenchReport report) throws IOException, InterruptedException {
    try (Scratch scratch = Scratch.create()) {
      Path stores = Files.createDirectories(scratch.onDisk("stores"));
      ScaleBenchmark benchmark = new ScaleBenchmark(stores, report);
      for (int each : perExecutor) {
        benchmark.run(new ScalePlan(ranks, each, rate, seconds));
      }
    }
  }
}
