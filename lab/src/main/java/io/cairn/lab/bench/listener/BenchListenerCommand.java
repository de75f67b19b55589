package io.cairn.lab.bench.listener;

import io.cairn.lab.measure.Bench;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.MeasuredMachine;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code cairn-lab bench listener}: what checkpointing costs a training, beside DL4J's own. */
@Command(
    name = "listener",
    description = {
      "Train one network without checkpoints, with DL4J's CheckpointListener and with Cairn.",
      "The network's parameters and Adam's state are 238 MB. The three take turns in one run, so"
          + " that drift of the machine hits all alike. Takes two to five minutes, 1.5 GiB of"
          + " shared memory and 1 GiB of disk."
    })
public final class BenchListenerCommand extends Bench {
  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "60",
      description = "Iterations per mode; at least 48. Default: ${DEFAULT-VALUE}.")
  private int iterations;

  @Option(
      names = "--saves",
      paramLabel = "N",
      defaultValue = "5",
      description = "Iterations with CheckpointListener; at least 2. Default: ${DEFAULT-VALUE}.")
  private int saves;

  /** ND4J computes in all modes. */
  @Override
  protected MeasuredMachine machine() {
    return MeasuredMachine.withNd4j();
  }

  @Override
  protected void measure(BenchReport report) throws IOException {
    new ListenerBenchmark(ListenerPlan.full(iterations, saves)).run(report, this::progress);
  }
}
