package io.cairn.lab.bench.flush;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.cairn.Checkpointer;
import io.cairn.Outcome;
import io.cairn.cli.LocalTree;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.Samples;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Captures one state again and again, each time after a plain copy of the same bytes into a mapping
 * of shared memory that is kept. The two take turns, so that drift of the machine hits both.
 *
 * @param rounds per run
 * @param runs of which the steadiest counts
 */
record CaptureBenchmark(int mib, int rounds, int runs) {

  private static final double MOST_COPIES = 1.35;
  private static final double MOST_SPREAD = 2;

  /** Medians of one run, and the end of its captures, in milliseconds. */
  record Captures(double copy, double p50, double p95) {
    double spread() {
      return p95 / p50;
    }
  }

  void run(Scratch scratch, FigureTable.Row row, BenchReport report) throws IOException {
    FlushedState state = new FlushedState(mib);
    List<Captures> all = new ArrayList<>();
    for (int run = 0; run < runs; run++) {
      all.add(once(state, scratch));
    }
    judge(report, row, all.stream().min(Comparator.comparing(Captures::spread)).orElseThrow());
  }

  /** Adds the steadiest run to a row, and holds it against the bars. */
  void judge(BenchReport report, FigureTable.Row row, Captures best) {
    row.add("MiB", mib)
        .add("copy p50 ms", best.copy)
        .add("capture p50 ms", best.p50)
        .add("p95 ms", best.p95)
        .add("capture / copy", best.p50 / best.copy);
    report.atMost(mib + " MiB: capture / copy", best.p50 / best.copy, MOST_COPIES);
    report.atMost(mib + " MiB: capture p95 / p50", best.spread(), MOST_SPREAD);
  }

  private Captures once(FlushedState state, Scratch scratch) throws IOException {
    Path kept = scratch.inMemory("copy");
    Files.createDirectories(kept.getParent());
    try (FileChannel channel = FileChannel.open(kept, CREATE_NEW, READ, WRITE);
        CairnEngine cairn = CairnEngine.open(CairnConfig.of(settings(state, scratch)));
        Checkpointer checkpointer = cairn.join("captures")) {
      MappedByteBuffer target = channel.map(MapMode.READ_WRITE, 0, state.bytes());
      state.protectBy(checkpointer);
      checkpointer.restore();
      Samples copies = new Samples();
      Samples captures = new Samples();
      copy(state, target);
      for (int warm = 0; warm < CACHED; warm++) {
        checkpointer.checkpoint(warm).captured().join();
      }
      for (int round = 0; round < rounds; round++) {
        state.change();
        copies.add(copy(state, target));
        captures.add(capture(checkpointer, CACHED + round));
      }
      return new Captures(
          copies.quantileMillis(0.5), captures.quantileMillis(0.5), captures.quantileMillis(0.95));
    } finally {
      Files.deleteIfExists(kept);
      LocalTree.delete(scratch.onDisk("store"));
      LocalTree.delete(scratch.inMemory("node"));
      LocalTree.delete(scratch.inMemory("device"));
    }
  }

  private static long copy(FlushedState state, MappedByteBuffer target) {
    long before = System.nanoTime();
    target.clear();
    state.chunks().forEach(target::put);
    return System.nanoTime() - before;
  }

  private static long capture(Checkpointer checkpointer, long iteration) {
    long before = System.nanoTime();
    Outcome outcome = checkpointer.checkpoint(iteration).captured().join();
    long nanos = System.nanoTime() - before;
    if (!(outcome instanceof Outcome.Captured)) {
      throw new IllegalStateException("iteration " + iteration + " is " + outcome);
    }
    return nanos;
  }

  /** The cache has every page of it touched once so many checkpoints went there. */
  private static final int CACHED = 3;

  /** Every iteration at DEVICE alone: the levels below it never stop the training thread. */
  private static Map<String, String> settings(FlushedState state, Scratch scratch) {
    Map<String, String> settings = state.settings(scratch, CACHED);
    settings.put("node.every", FlushedState.NEVER);
    settings.remove("keep");
    return settings;
  }
}
