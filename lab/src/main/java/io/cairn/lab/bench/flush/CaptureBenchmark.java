package io.cairn.lab.bench.flush;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.cairn.Checkpointer;
import io.cairn.Outcome;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.lab.bench.flush.FlushReport.Captures;
import io.cairn.lab.bench.flush.FlushReport.Quantiles;
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
  private static final int MIB = 1 << 20;

  Captures run(Scratch scratch) throws IOException {
    FlushedState state = new FlushedState(mib);
    List<Captures> all = new ArrayList<>();
    for (int run = 0; run < runs; run++) {
      all.add(once(state, scratch));
    }
    return all.stream()
        .min(Comparator.comparing(one -> one.captureMillis().spread()))
        .orElseThrow();
  }

  private Captures once(FlushedState state, Scratch scratch) throws IOException {
    Path kept = scratch.inMemory("copy");
    Files.createDirectories(kept.getParent());
    try (FileChannel channel = FileChannel.open(kept, CREATE_NEW, READ, WRITE);
        CairnEngine cairn = CairnEngine.open(CairnConfig.of(settings(scratch)));
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
          mib,
          copies.quantileMillis(0.5),
          new Quantiles(captures.quantileMillis(0.5), captures.quantileMillis(0.95)));
    } finally {
      Files.deleteIfExists(kept);
      Scratch.delete(scratch.onDisk("store"));
      Scratch.delete(scratch.inMemory("node"));
      Scratch.delete(scratch.inMemory("device"));
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
  private Map<String, String> settings(Scratch scratch) {
    return Map.of(
        "job",
        "bench-flush",
        "store",
        scratch.onDisk("store").toString(),
        "node.dir",
        scratch.inMemory("node").toString(),
        "device.dir",
        scratch.inMemory("device").toString(),
        "device.cacheSize",
        String.valueOf((long) CACHED * mib * MIB),
        "chunkSize",
        String.valueOf(FlushedState.CHUNK_BYTES),
        "device.every",
        "1",
        "node.every",
        "1000000",
        "store.every",
        "1000000",
        "queueSize",
        "16g");
  }
}
