package io.cairn.lab.bench.flush;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.examples.demo.HdfsProcess;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.Samples;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Sends one state down to NODE and to STORE on an HDFS of two DataNodes, and restores it from
 * there. Before each round, bare loops move the same bytes between the same places.
 */
record LevelsBenchmark(int mib, int rounds) {

  private static final double LEAST_OF_NODE = 0.85;
  private static final double LEAST_OF_STORE = 0.9;
  private static final double LEAST_OF_RESTORE = 0.85;

  void run(Scratch scratch, BenchReport report) throws IOException {
    FlushedState state = new FlushedState(mib);
    Files.createDirectories(scratch.inMemory("bare").getParent());
    Samples bareNode = new Samples();
    Samples bareStore = new Samples();
    Samples bareRead = new Samples();
    Samples node = new Samples();
    Samples store = new Samples();
    Samples restore = new Samples();
    try (HdfsProcess hdfs = HdfsProcess.start(scratch.onDisk("hdfs"));
        FileSystem files = BareIo.connect(hdfs.uri(), HdfsProcess.REPLICATION)) {
      Map<String, String> settings = settings(state, scratch, hdfs.uri());
      try (CairnEngine cairn = CairnEngine.open(CairnConfig.of(settings));
          Checkpointer checkpointer = cairn.join("levels")) {
        state.protectBy(checkpointer);
        checkpointer.restore();
        for (int round = 0; round <= rounds; round++) {
          Path bare = new Path("/bare-" + round);
          long storeNanos = BareIo.writeHdfs(files, bare, state.chunks());
          long readNanos = BareIo.readHdfs(files, bare);
          files.delete(bare, false);
          long nodeNanos = writeFileTwice(scratch.inMemory("bare"), state);
          state.change();
          Flush flush = flush(checkpointer.checkpoint(round));
          if (round > 0) {
            bareNode.add(nodeNanos);
            bareStore.add(storeNanos);
            bareRead.add(readNanos);
            node.add(flush.nodeNanos());
            store.add(flush.storeNanos());
          }
        }
      }
      for (int round = 0; round < rounds; round++) {
        Scratch.delete(scratch.inMemory("node"));
        restore.add(restore(state, settings));
      }
    }
    FigureTable ways =
        report.table(
            "medians of %d rounds with %d MiB, beside a file channel and a bare client of HDFS",
            rounds, mib);
    double share = share(ways.row().add("way", "capture to NODE"), bareNode, node);
    report.atLeast("NODE / file channel", share, LEAST_OF_NODE);
    share = share(ways.row().add("way", "NODE to STORE"), bareStore, store);
    report.atLeast("STORE / HDFS client", share, LEAST_OF_STORE);
    share = share(ways.row().add("way", "back from STORE"), bareRead, restore);
    report.atLeast("restore / HDFS read", share, LEAST_OF_RESTORE);
  }

  /**
   * The second time counts: pages of memory that were freed a moment ago cost less than others, and
   * the flush that follows finds such pages, too.
   */
  private static long writeFileTwice(java.nio.file.Path file, FlushedState state)
      throws IOException {
    BareIo.writeFile(file, state.chunks());
    return BareIo.writeFile(file, state.chunks());
  }

  private record Flush(long nodeNanos, long storeNanos) {}

  private static Flush flush(CheckpointTicket ticket) {
    ticket.captured().join();
    long captured = System.nanoTime();
    requireSealed(ticket.sealed(Level.NODE).join());
    long atNode = System.nanoTime();
    requireSealed(ticket.sealed(Level.STORE).join());
    return new Flush(atNode - captured, System.nanoTime() - atNode);
  }

  private static void requireSealed(Outcome outcome) {
    if (!(outcome instanceof Outcome.Sealed)) {
      throw new IllegalStateException("a checkpoint is " + outcome);
    }
  }

  /** By a process that has nothing at DEVICE or NODE. */
  private static long restore(FlushedState state, Map<String, String> settings) throws IOException {
    try (CairnEngine cairn = CairnEngine.open(CairnConfig.of(settings));
        Checkpointer checkpointer = cairn.join("levels")) {
      state.protectBy(checkpointer);
      long before = System.nanoTime();
      RestoreReport report = checkpointer.restore().orElseThrow();
      long nanos = System.nanoTime() - before;
      if (report.level() != Level.STORE) {
        throw new IllegalStateException("restored from " + report.level());
      }
      return nanos;
    }
  }

  /** Adds the medians; returns the part of the bare loop's speed. */
  private static double share(FigureTable.Row row, Samples bare, Samples own) {
    double share = bare.quantileMillis(0.5) / own.quantileMillis(0.5);
    row.add("bare ms", bare.quantileMillis(0.5))
        .add("Cairn ms", own.quantileMillis(0.5))
        .add("share of the speed", share);
    return share;
  }

  private static Map<String, String> settings(FlushedState state, Scratch scratch, String hdfs) {
    Map<String, String> settings = state.settings(scratch, 2);
    settings.put("store", hdfs + "/cairn");
    settings.put("store.hadoop.dfs.replication", String.valueOf(HdfsProcess.REPLICATION));
    settings.put("store.every", "1");
    return settings;
  }
}
