package io.cairn.lab.bench.flow;

import io.cairn.lab.measure.Bench;
import io.cairn.lab.measure.BenchReport;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code cairn-lab bench flow}: how fast the flow schedulers are, beside others. */
@Command(
    name = "flow",
    description = {
      "Measure the exact flow scheduler by JMH: dense and uniform links, clusters, allocation, the"
          + " floor under it, and rivals that find the same optimum.",
      "One thread, warm, plan included, each in a JVM of its own. A rival is tried at every size"
          + " where one solve takes 10 s or less, and must agree with ours. Takes about ten minutes"
          + " and up to 10 GiB of memory; leave the machine alone meanwhile."
    })
public final class BenchFlowCommand extends Bench {
  @Option(
      names = "--devices",
      paramLabel = "N",
      split = ",",
      description = "Sizes of dense problems and rivals, even. Default: 8,128,512,1024,4096.")
  private List<Integer> devices = List.of();

  @Option(
      names = "--only",
      paramLabel = "NAME",
      split = ",",
      description = "Measure only some of: ${COMPLETION-CANDIDATES}.")
  private Set<Family> only = EnumSet.allOf(Family.class);

  @Option(
      names = "--quick",
      description = "Cut everything short, to see that it runs; judges no bar.")
  private boolean quick;

  @Override
  protected void measure(BenchReport report) throws IOException {
    FlowPlan plan = quick ? FlowPlan.quick(only, devices) : FlowPlan.full(only, devices);
    new FlowBenchmarks(plan, report, this::progress).run();
  }
}
