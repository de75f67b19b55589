package io.cairn.lab.study.simulate;

import io.cairn.lab.measure.Bench;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.study.cluster.ClusterSimulation;
import io.cairn.lab.study.cluster.ClusterSweep;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code cairn-lab simulate cluster}: the real coordinators, sessions and stores under faults. */
@Command(
    name = "cluster",
    description = {
      "Simulate clusters that fail, in virtual time, with the real coordinators, sessions and"
          + " levels.",
      "Every seed is a cluster of its own. A seed that violates a promise is printed with its"
          + " history, and ends alike when it is run alone."
    })
final class SimulateClusterCommand extends Bench {
  @Option(names = "--seeds", paramLabel = "N", description = "How many. Default: 1000.")
  private int seeds = 1000;

  @Option(names = "--from", paramLabel = "S", description = "The first seed. Default: 0.")
  private long from;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "They do not change the results. Default: two per core.")
  private int threads = 2 * Runtime.getRuntime().availableProcessors();

  @Option(names = "--trace", description = "Print the history of every seed.")
  private boolean trace;

  @Override
  protected void measure(BenchReport report) throws IOException, InterruptedException {
    ClusterSweep.Report sweep =
        ClusterSweep.run(
            from,
            seeds,
            threads,
            result -> {
              if (trace || !result.violation().isEmpty()) {
                print(result);
              }
            });
    FigureTable faults = report.table("faults in %d seeds from %d", sweep.seeds(), from);
    sweep.faults().forEach((fault, count) -> faults.row().add("fault", fault).add("times", count));
    FigureTable violated = report.table("seeds that violate a promise");
    sweep.violated().forEach(seed -> violated.row().add("seed", seed));
    report.atMost("seeds that violate a promise", sweep.violations(), 0);
  }

  private synchronized void print(ClusterSimulation.Result result) {
    result.trace().forEach(line -> progress(line));
    String outcome = result.violation().isEmpty() ? "good" : result.violation();
    progress("seed " + result.seed() + ": " + outcome + "\n");
  }
}
