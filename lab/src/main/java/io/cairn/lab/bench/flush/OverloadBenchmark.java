package io.cairn.lab.bench.flush;

import io.cairn.CairnEvent;
import io.cairn.CheckpointId;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A training whose store becomes so slow that it takes a tenth of what the cadence sends there, and
 * then recovers. The adaptive cadence has time to settle before. It needs up to two of its patterns
 * to notice that the store is fast again, and the overload stretched them.
 *
 * @param seconds of the overload; the time before it is as long
 */
record OverloadBenchmark(int seconds) {
  private static final int MIB = 8;
  private static final double BYTES_PER_MIB = 1 << 20;
  private static final double FACTOR = 10;
  private static final long QUEUE_BYTES = 64L << 20;
  private static final int KEEP = 2;
  private static final int CACHED = 3;

  /** More than the index and the manifest of a copy at NODE take. */
  private static final long DESCRIBED_BYTES = 4096;

  private static final long ITERATION_MILLIS = 20;

  /** The overload stretches the period of STORE at least so many times. */
  private static final double LEAST_STRETCH = 2;

  /** The period of STORE has recovered when it is at most so many times that before. */
  private static final double RECOVERED = 2;

  /** The wait for the recovery ends after so many times the overload. */
  private static final int PATIENCE = 6;

  void run(Scratch scratch, BenchReport report) throws IOException {
    CairnConfig config = CairnConfig.of(settings(scratch));
    SlowStore store = new SlowStore(CheckpointStores.open(config.store()));
    try (CairnEngine cairn = CairnEngine.open(config, store);
        Checkpointer checkpointer = cairn.join("overload")) {
      new Run(cairn, checkpointer, store, config.nodeDirectory()).measure(report);
    }
  }

  /** Holds an overload against its bars. */
  static void judge(BenchReport report, FigureTable.Row row) {
    report.atMost("overload: MiB", row.number("peak MiB"), row.number("limit MiB"));
    report.atMost("overload: lost", row.number("lost"), 0);
    double before = row.number("STORE every, before");
    report.atLeast(
        "overload: period of STORE / before", row.number("during") / before, LEAST_STRETCH);
    report.atMost("recovered: period of STORE / before", row.number("after") / before, RECOVERED);
  }

  private final class Run {
    private final CairnEngine cairn;
    private final Checkpointer checkpointer;
    private final SlowStore store;
    private final Path node;
    private final FlushedState state = new FlushedState(MIB);
    private final AtomicLong skipped = new AtomicLong();
    private final NavigableSet<CheckpointId> atStore = new ConcurrentSkipListSet<>();
    private long next;
    private long peakBytes;
    private int sentInARow;

    Run(CairnEngine cairn, Checkpointer checkpointer, SlowStore store, Path node) {
      this.cairn = cairn;
      this.checkpointer = checkpointer;
      this.store = store;
      this.node = node;
    }

    void measure(BenchReport report) throws IOException {
      cairn.observers().add(this::count);
      state.protectBy(checkpointer);
      checkpointer.restore();
      train();
      long before = period();
      double sentPerSecond = sentInARow * state.bytes() / (double) seconds;
      skipped.set(0);
      store.limit(sentPerSecond / FACTOR);
      train();
      long during = period();
      long skippedThen = skipped.get();
      store.limit(Double.POSITIVE_INFINITY);
      double recoverySeconds = train(PATIENCE * seconds, () -> period() <= RECOVERED * before);
      long after = period();
      awaitAll();
      int lost = lost();
      FigureTable overload =
          report.table(
              "%d s with a store that takes a tenth of what the cadence sends there: bytes at"
                  + " the device and at NODE, the limit by the settings; checkpoints reported"
                  + " as sealed that are not there; levels skipped meanwhile; iterations from"
                  + " one checkpoint at STORE to the next",
              seconds);
      FigureTable.Row row =
          overload
              .row()
              .add("peak MiB", peakBytes / BYTES_PER_MIB)
              .add("limit MiB", limitBytes() / BYTES_PER_MIB)
              .add("lost", lost)
              .add("skipped", skippedThen)
              .add("STORE every, before", before)
              .add("during", during)
              .add("after", after)
              .add("recovered after s", recoverySeconds);
      judge(report, row);
    }

    /** Nothing is on its way afterwards, so nothing is deleted while it is looked for. */
    private void awaitAll() {
      CheckpointTicket last = checkpointer.end(next++);
      if (last.sealed(Level.STORE).join() instanceof Outcome.Sealed) {
        atStore.add(last.id());
      }
    }

    private void count(CairnEvent event) {
      if (event instanceof CairnEvent.Settled settled) {
        if (settled.outcome() instanceof Outcome.Skipped) {
          skipped.incrementAndGet();
        } else if (settled.level() == Level.STORE && settled.outcome() instanceof Outcome.Sealed) {
          atStore.add(settled.id());
        }
      }
    }

    /** Computes for a phase. */
    private void train() throws IOException {
      int sealedBefore = atStore.size();
      var unused = train(seconds, () -> false);
      sentInARow = Math.max(1, atStore.size() - sealedBefore);
    }

    /** Computes for a time, or until something holds; returns the seconds that passed. */
    private double train(int longest, BooleanSupplier until) throws IOException {
      long begin = System.nanoTime();
      double passed;
      do {
        compute();
        checkpointer.checkpoint(next++);
        peakBytes = Math.max(peakBytes, occupied());
        passed = (System.nanoTime() - begin) / 1e9;
      } while (passed < longest && !until.getAsBoolean());
      return passed;
    }

    private void compute() {
      state.change();
      try {
        TimeUnit.MILLISECONDS.sleep(ITERATION_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private long period() {
      return cairn.cadenceReports().newest().values().stream()
          .map(report -> report.plan().periods().get(Level.STORE))
          .findFirst()
          .orElseThrow();
    }

    /** The arena of the device, whose pages all exist, and the copies at NODE. */
    private long occupied() throws IOException {
      AtomicLong bytes = new AtomicLong(CACHED * state.bytes());
      Files.walkFileTree(
          node,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              bytes.addAndGet(attributes.size());
              return FileVisitResult.CONTINUE;
            }

            /** NODE deletes copies meanwhile. */
            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException gone) {
              return FileVisitResult.CONTINUE;
            }
          });
      return bytes.get();
    }

    /** The cache, what NODE keeps and writes, and what waits there for STORE. */
    private long limitBytes() {
      long atNode = KEEP + 2 + QUEUE_BYTES / state.bytes();
      return CACHED * state.bytes() + atNode * (state.bytes() + DESCRIBED_BYTES);
    }

    /** Checkpoints that are not at STORE any more, of the newest that were reported as sealed. */
    private int lost() {
      Set<CheckpointId> held =
          checkpointer.checkpoints().stream()
              .filter(one -> one.levels().contains(Level.STORE))
              .map(one -> one.id())
              .collect(Collectors.toSet());
      return (int)
          atStore.descendingSet().stream().limit(KEEP).filter(id -> !held.contains(id)).count();
    }
  }

  /** Failures of machines every minute, so that the cadence is eager while the store is fast. */
  private static Map<String, String> settings(Scratch scratch) {
    Map<String, String> settings = scratch.settings("bench-flush");
    settings.put("device.cacheSize", String.valueOf(((long) CACHED * MIB) << 20));
    settings.put("chunkSize", "1m");
    settings.put("keep", String.valueOf(KEEP));
    settings.put("queueSize", String.valueOf(QUEUE_BYTES));
    settings.put("store.mtbf", "60s");
    settings.put("node.mtbf", "60s");
    return settings;
  }
}
