package io.cairn.lab.bench.pattern;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.JsonOption;
import io.cairn.lab.LabCommand;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn-lab bench pattern}: how fast the pattern calculator and the simulator are. */
@Command(
    name = "pattern",
    description = {
      "Measure by JMH how long the exact optimum of four levels takes, and one exact evaluation of"
          + " a pattern of 24 segments, and how many events the simulator of failures does.",
      "One thread, warm, each in a JVM of its own. Takes about a minute and a half; leave the"
          + " machine alone meanwhile."
    })
public final class BenchPatternCommand implements LabCommand {
  @Option(
      names = "--quick",
      description = "Cut everything short, to see that it runs; judges no bar.")
  private boolean quick;

  @Mixin private JsonOption json = new JsonOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter progress = spec.commandLine().getErr();
    PatternMeasurements found = new PatternBenchmarks(quick, progress::println).run();
    json.print(found, out -> found.lines().forEach(out::println));
    return found.passed() ? ExitCodes.GOOD : ExitCodes.BAD;
  }
}
