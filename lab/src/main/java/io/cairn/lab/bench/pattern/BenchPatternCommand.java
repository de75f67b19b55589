package io.cairn.lab.bench.pattern;

import io.cairn.lab.measure.Bench;
import io.cairn.lab.measure.BenchReport;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code cairn-lab bench pattern}: how fast the pattern calculator and the simulator are. */
@Command(
    name = "pattern",
    description = {
      "Measure by JMH how long the exact optimum of four levels takes, and one exact evaluation of"
          + " a pattern of 24 segments, and how many events the simulator of failures does.",
      "One thread, warm, each in a JVM of its own. Takes about a minute and a half; leave the"
          + " machine alone meanwhile."
    })
public final class BenchPatternCommand extends Bench {
  @Option(
      names = "--quick",
      description = "Cut everything short, to see that it runs; judges no bar.")
  private boolean quick;

  @Override
  protected void measure(BenchReport report) throws IOException, InterruptedException {
    new PatternBenchmarks(quick, report, this::progress).run();
  }
}
