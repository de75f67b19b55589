package io.cairn.lab.bench.small;

import io.cairn.cli.Units;
import io.cairn.lab.measure.Bench;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.MeasuredMachine;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code cairn-lab bench small}: what checkpoints cost trainings of few bytes and short iterations.
 */
@Command(
    name = "small",
    description = {
      "Run loops and a small network with checkpoints and without, in turns, and compare.",
      "Modes: the defaults, every iteration, and every iteration copied beside the training."
          + " Takes a minute per loop and size."
    })
public final class BenchSmallCommand extends Bench {
  private static final int BATCH = 256;

  @Option(
      names = "--loops",
      paramLabel = "MILLIS",
      split = ",",
      defaultValue = "3,10,30,100",
      description = "Lengths of an iteration. Default: ${DEFAULT-VALUE}.")
  private List<Double> loops = List.of();

  @Option(
      names = "--bytes",
      paramLabel = "N",
      split = ",",
      defaultValue = "100000,1000000,10000000",
      description = "Sizes of the state. Default: ${DEFAULT-VALUE}.")
  private List<Integer> bytes = List.of();

  @Option(names = "--only-network", description = "Leave the loops out.")
  private boolean onlyNetwork;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "20",
      description = "Pairs of blocks per mode. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--block",
      paramLabel = "MILLIS",
      defaultValue = "300",
      description = "The length of a block. Default: ${DEFAULT-VALUE}.")
  private int block;

  /** ND4J computes in the network's iterations. */
  @Override
  protected MeasuredMachine machine() {
    return MeasuredMachine.withNd4j();
  }

  @Override
  protected void measure(BenchReport report) throws IOException {
    SmallBenchmark benchmark = new SmallBenchmark(block, rounds);
    requireLoops();
    FigureTable cases =
        report.table(
            "%d pairs of blocks of about %d ms, with checkpoints and without. Iteration: without,"
                + " median of blocks. Overhead: a block with checkpoints over one without, with the"
                + " iterations that are not captured, median and quartiles of pairs. Settled:"
                + " the same of all blocks together, each until its checkpoints are at every"
                + " level. CPU: what the process takes more until then, per iteration, median of"
                + " pairs",
            rounds, block);
    for (double millis : onlyNetwork ? List.<Double>of() : loops) {
      for (int size : bytes) {
        benchmark.run("loop", (mode, at) -> new PlainLoop(mode, at, size, millis), cases);
        progress("a loop of %.0f ms and %s", millis, Units.decimalBytes(size));
      }
    }
    benchmark.run("network", (mode, at) -> new SmallNetwork(mode, at, BATCH), cases);
  }

  private void requireLoops() {
    loops.stream()
        .filter(millis -> !(millis > 0))
        .findAny()
        .ifPresent(
            millis -> {
              throw new IllegalArgumentException("--loops has " + millis + ": give times above 0");
            });
    bytes.stream()
        .filter(size -> size < PlainLoop.LEAST_BYTES || size % PlainLoop.LEAST_BYTES != 0)
        .findAny()
        .ifPresent(
            size -> {
              throw new IllegalArgumentException(
                  "--bytes has " + size + ": give multiples of " + PlainLoop.LEAST_BYTES);
            });
  }
}
