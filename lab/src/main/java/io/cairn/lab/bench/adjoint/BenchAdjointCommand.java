package io.cairn.lab.bench.adjoint;

import io.cairn.cli.Progress;
import io.cairn.lab.measure.Bench;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code cairn-lab bench adjoint}: what it costs to read states backward. */
@Command(
    name = "adjoint",
    description = {
      "Store a state per step, then read them in reverse: with a history, in memory, with a file"
          + " per step, and with steps that run again.",
      "The cache holds a tenth of the states. The default takes some four minutes, and 7 GiB of"
          + " shared memory."
    })
public final class BenchAdjointCommand extends Bench {
  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "800",
      description = "Steps, 100 or more. Default: ${DEFAULT-VALUE}.")
  private int steps;

  @Option(
      names = "--kib",
      paramLabel = "N",
      defaultValue = "4096",
      description = "Size of a state, a multiple of 64. Default: ${DEFAULT-VALUE}.")
  private int kib;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Rounds, whose medians count. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Override
  protected void measure(BenchReport report) throws IOException {
    if (steps < 100 || kib < 64 || kib % 64 != 0 || kib > 65_536 || rounds < 1) {
      throw new IllegalArgumentException(
          "give --steps 100 or more, --kib a multiple of 64 up to 65536, --rounds 1 or more");
    }
    try (Scratch scratch = Scratch.create();
        Progress progress = Progress.counting("bench adjoint", 7, "part")) {
      new AdjointBenchmark(steps, kib << 10, steps / 10, rounds).measure(scratch, report, progress);
    }
  }
}
