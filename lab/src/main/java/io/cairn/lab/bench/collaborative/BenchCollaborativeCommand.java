package io.cairn.lab.bench.collaborative;

import io.cairn.cli.Progress;
import io.cairn.cli.WritableDirectory;
import io.cairn.lab.measure.Bench;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.study.chart.Pictures;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code cairn-lab bench collaborative}: checkpoints that share device memory, executed. */
@Command(
    name = "collaborative",
    description = {
      "Execute checkpoints that share device memory between eight processes, as each scheduling"
          + " algorithm plans them, and compare how long they block with what the plans predict.",
      "The links of a DGX-1 are played by slowed copies within shared memory; sizes are those of a"
          + " measured trace. All bytes that lie with peers or in host memory are verified. A link"
          + " at half its rate must show. The coordinator alone is measured with 10000 ranks that"
          + " report over sockets.",
      "Takes 10 to 20 minutes and 2 GiB of shared memory; leave the machine alone meanwhile."
    })
public final class BenchCollaborativeCommand extends Bench {
  @Option(
      names = "--coordinator-only",
      description = "Measure the coordinator and execute nothing; takes about a minute.")
  private boolean coordinatorOnly;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of the snapshots that are drawn. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--quick",
      description = "Three processes, one snapshot, few ranks, to see that it runs; judges no bar.")
  private boolean quick;

  @Option(
      names = "--chart",
      paramLabel = "DIR",
      converter = WritableDirectory.class,
      description = "Draw measured over predicted times into this directory, as PNG and as SVG.")
  private @Nullable Path chart;

  @Override
  protected void measure(BenchReport report) throws IOException, InterruptedException {
    CollaborativePlan plan = quick ? CollaborativePlan.QUICK : CollaborativePlan.FULL;
    if (quick) {
      report.quick();
    }
    CollaborativeFigures figures = new CollaborativeFigures(report);
    figures.add(coordinator(plan.coordinator()));
    if (coordinatorOnly) {
      return;
    }
    ExecutionFindings executed = executed(plan);
    figures.add(executed);
    if (chart != null) {
      PredictionChart.of(executed).save(new Pictures(chart), "collaborative");
    }
  }

  private CoordinatorFindings coordinator(CoordinatorPlan plan)
      throws IOException, InterruptedException {
    int steps = CoordinatorBenchmark.steps(plan);
    try (Progress progress = Progress.counting("coordinator alone", steps, "step")) {
      return new CoordinatorBenchmark(plan, seed, () -> progress.advance(1)).run();
    }
  }

  private ExecutionFindings executed(CollaborativePlan plan) throws IOException {
    List<Drawing> drawings = Drawing.all(plan, seed);
    int steps = ExecutionBenchmark.steps(plan, drawings);
    try (Progress progress = Progress.counting("collaborative", steps, "checkpoint")) {
      return new ExecutionBenchmark(plan, drawings, () -> progress.advance(1)).run();
    }
  }
}
