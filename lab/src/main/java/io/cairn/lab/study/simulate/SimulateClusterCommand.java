package io.cairn.lab.study.simulate;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.JsonOption;
import io.cairn.lab.study.cluster.ClusterSimulation;
import io.cairn.lab.study.cluster.ClusterSweep;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
final class SimulateClusterCommand implements Callable<Integer> {
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

  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() throws IOException, InterruptedException {
    ClusterSweep.Report report =
        ClusterSweep.run(
            from,
            seeds,
            threads,
            result -> {
              if (trace || !result.violation().isEmpty()) {
                print(result, json.remarks());
              }
            });
    json.print(report, out -> print(report, out));
    return report.violations() == 0 ? ExitCodes.GOOD : ExitCodes.BAD;
  }

  private void print(ClusterSweep.Report report, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%d seeds from %d in %.1f s: %d violations%n",
        report.seeds(),
        from,
        report.seconds(),
        report.violations());
    report.faults().forEach((fault, count) -> out.printf(Locale.ROOT, "%10d  %s%n", count, fault));
  }

  private static synchronized void print(ClusterSimulation.Result result, PrintWriter out) {
    result.trace().forEach(out::println);
    out.printf(
        Locale.ROOT,
        "seed %d: %s%n%n",
        result.seed(),
        result.violation().isEmpty() ? "good" : result.violation());
    out.flush();
  }
}
