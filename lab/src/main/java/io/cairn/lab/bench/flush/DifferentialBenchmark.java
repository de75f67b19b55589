package io.cairn.lab.bench.flush;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.lab.bench.flush.FlushReport.Differential;
import io.cairn.lab.measure.Samples;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
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

  private record Measured(double millis, double bytes) {}

  Differential run(Scratch scratch) throws IOException {
    Measured whole = measure(scratch, 0);
    Measured leaning = measure(scratch, MAX_LAYERS);
    return new Differential(
        dirtyPercent, leaning.bytes() / whole.bytes(), leaning.millis() / whole.millis());
  }

  /** The median time to NODE, and the mean of the bytes; the first checkpoint is whole. */
  private Measured measure(Scratch scratch, int maxLayers) throws IOException {
    Files.createDirectories(scratch.inMemory("differential"));
    FlushedState state = new FlushedState(mib);
    SplittableRandom random = new SplittableRandom(dirtyPercent);
    Samples nanos = new Samples();
    try (CairnEngine cairn = CairnEngine.open(CairnConfig.of(settings(scratch, maxLayers)));
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
    } finally {
      Scratch.delete(scratch.inMemory("differential"));
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

  private Map<String, String> settings(Scratch scratch, int maxLayers) {
    Map<String, String> settings = new HashMap<>();
    settings.put("job", "bench-flush");
    settings.put("store", scratch.inMemory("differential").resolve("store").toString());
    settings.put("node.dir", scratch.inMemory("differential").resolve("node").toString());
    settings.put("device.dir", scratch.inMemory("differential").resolve("device").toString());
    settings.put("device.cacheSize", String.valueOf((2L * mib) << 20));
    settings.put("chunkSize", String.valueOf(FlushedState.CHUNK_BYTES));
    settings.put("device.every", "1");
    settings.put("node.every", "1");
    settings.put("store.every", "1000000");
    settings.put("keep", "1");
    settings.put("queueSize", "16g");
    settings.put("node.maxLayers", String.valueOf(maxLayers));
    return settings;
  }
}
