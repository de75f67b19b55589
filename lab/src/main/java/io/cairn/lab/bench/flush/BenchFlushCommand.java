package io.cairn.lab.bench.flush;

import io.cairn.lab.measure.Bench;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code cairn-lab bench flush}: captures, NODE, STORE and restores beside bare loops. */
@Command(
    name = "flush",
    description = {
      "Capture a state, send it to NODE and to STORE on an embedded HDFS, and restore it.",
      "Plain copies, a file channel and a bare client of HDFS take turns with Cairn on the same"
          + " bytes. Takes minutes, 5 GiB of shared memory and 8 GiB of disk with the defaults."
    })
public final class BenchFlushCommand extends Bench {
  private static final int RUNS = 3;
  private static final int DIRTY_PERCENT = 10;

  @Option(
      names = "--mib",
      paramLabel = "N",
      split = ",",
      defaultValue = "256,1024",
      description =
          "Sizes of the state; the last one goes to NODE and STORE. Default:"
              + " ${DEFAULT-VALUE}.")
  private List<Integer> sizes = List.of();

  @Option(
      names = "--captures",
      paramLabel = "N",
      defaultValue = "40",
      description = "Captures per run; three runs. Default: ${DEFAULT-VALUE}.")
  private int captures;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Checkpoints that go to NODE and STORE. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "How long the store is too slow. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Override
  protected void measure(BenchReport report) throws IOException {
    int last = sizes.get(sizes.size() - 1);
    try (Scratch scratch = Scratch.create()) {
      FigureTable all =
          report.table(
              "a plain copy into a mapping that is kept, and a capture until the training"
                  + " thread continues: the steadiest of %d runs of %d",
              RUNS, captures);
      for (int mib : sizes) {
        progress("captures of %d MiB", mib);
        new CaptureBenchmark(mib, captures, RUNS).run(scratch, all.row(), report);
      }
      progress("NODE, STORE and restore with %d MiB", last);
      new LevelsBenchmark(last, rounds).run(scratch, report);
      progress("NODE with %d MiB, of which %d %% change", last, DIRTY_PERCENT);
      new DifferentialBenchmark(last, DIRTY_PERCENT).run(report);
      progress("a slow store, %d s before and during, and until it recovers", seconds);
      new OverloadBenchmark(seconds).run(scratch, report);
    }
  }
}
