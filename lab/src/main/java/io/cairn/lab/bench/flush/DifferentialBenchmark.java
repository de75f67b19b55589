package io.cairn.lab.bench.flush;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.Samples;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Sends a state of which few chunks change to NODE: whole, and upon older checkpoints. So many
 * rounds that chunks of old layers are written again.
 */
record DifferentialBenchmark(int mib, int dirtyPercent) {
  private static final int ROUNDS = 16;
  private static final int MAX_LAYERS = 8;
  private static final String BYTES = "node.written.bytes";

  /** The median time to NODE, and the mean of the bytes. */
  record Measured(double millis, double bytes) {}

  private static final double MOST_BYTES = 0.15;
  private static final double MOST_TIME = 0.4;

  void run(BenchReport report) throws IOException {
    Measured whole = measure(0);
    Measured leaning = measure(MAX_LAYERS);
    FigureTable ratios =
        report.table(
            "checkpoints at NODE that lean on older ones, beside whole ones: mean of the bytes and"
                + " median of the time of %d rounds",
            ROUNDS);
    judge(report, ratios.row().add("MiB", mib).add("dirty %", dirtyPercent), whole, leaning);
  }

  /** Adds the ratios to a row, and holds them against their bars. */
  void judge(BenchReport report, FigureTable.Row row, Measured whole, Measured leaning) {
    double bytes = leaning.bytes() / whole.bytes();
    double time = leaning.millis() / whole.millis();
    row.add("bytes / whole", bytes).add("time / whole", time);
    report.atMost(dirtyPercent + " % dirty: bytes / whole", bytes, MOST_BYTES);
    report.atMost(dirtyPercent + " % dirty: time / whole", time, MOST_TIME);
  }

  /** The first checkpoint is whole, and does not count. */
  private Measured measure(int maxLayers) throws IOException {
    FlushedState state = new FlushedState(mib);
    SplittableRandom random = new SplittableRandom(dirtyPercent);
    Samples nanos = new Samples();
    try (Scratch scratch = Scratch.create();
        CairnEngine cairn = CairnEngine.open(CairnConfig.of(settings(state, scratch, maxLayers)));
        Checkpointer checkpointer = cairn.join("differential")) {
      state.protectBy(checkpointer);
      checkpointer.restore();
      toNode(checkpointer.checkpoint(0));
      long before = written(cairn);
      for (int round = 1; round <= ROUNDS; round++) {
        state.change(dirtyPercent, random);
        nanos.add(toNode(checkpointer.checkpoint(round)));
      }
      double bytes = (double) (written(cairn) - before) / ROUNDS;
      return new Measured(nanos.quantileMillis(0.5), bytes);
    }
  }

  private static long written(CairnEngine cairn) {
    return cairn.counters().snapshot().getOrDefault(BYTES, 0L);
  }

  private static long toNode(CheckpointTicket ticket) {
    ticket.captured().join();
    long captured = System.nanoTime();
    Outcome outcome = ticket.sealed(Level.NODE).join();
    if (!(outcome instanceof Outcome.Sealed)) {
      throw new IllegalStateException("a checkpoint is " + outcome);
    }
    return System.nanoTime() - captured;
  }

  private static Map<String, String> settings(FlushedState state, Scratch scratch, int maxLayers) {
    Map<String, String> settings = state.settings(scratch, 2);
    settings.put("store", scratch.inMemory("store").toString());
    settings.put("node.maxLayers", String.valueOf(maxLayers));
    return settings;
  }
}
