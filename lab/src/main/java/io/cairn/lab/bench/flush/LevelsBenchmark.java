package io.cairn.lab.bench.flush;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import io.cairn.cli.LocalTree;
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

  /** Times that a bare loop and Cairn take for the same. */
  record Beside(Samples bare, Samples own) {
    Beside() {
      this(new Samples(), new Samples());
    }

    /** The part of the bare loop's speed that Cairn has. */
    double share() {
      return bare.quantileMillis(0.5) / own.quantileMillis(0.5);
    }
  }

  void run(Scratch scratch, BenchReport report) throws IOException {
    FlushedState state = new FlushedState(mib);
    Files.createDirectories(scratch.inMemory("bare").getParent());
    Beside node = new Beside();
    Beside store = new Beside();
    Beside restore = new Beside();
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
            node.bare.add(nodeNanos);
            store.bare.add(storeNanos);
            restore.bare.add(readNanos);
            node.own.add(flush.nodeNanos());
            store.own.add(flush.storeNanos());
          }
        }
      }
      for (int round = 0; round < rounds; round++) {
        LocalTree.delete(scratch.inMemory("node"));
        restore.own.add(restore(state, settings));
      }
    }
    FigureTable ways =
        report.table(
            "medians of %d rounds with %d MiB, beside a file channel and a bare client of HDFS",
            rounds, mib);
    add(ways, "capture to NODE", node);
    add(ways, "NODE to STORE", store);
    add(ways, "back from STORE", restore);
    judge(report, node, store, restore);
  }

  private static void add(FigureTable ways, String way, Beside found) {
    ways.row()
        .add("way", way)
        .add("bare ms", found.bare.quantileMillis(0.5))
        .add("Cairn ms", found.own.quantileMillis(0.5))
        .add("share of the speed", found.share());
  }

  /** Holds the way to each level, and that back, against their bars. */
  static void judge(BenchReport report, Beside node, Beside store, Beside restore) {
    report.atLeast("NODE / file channel", node.share(), LEAST_OF_NODE);
    report.atLeast("STORE / HDFS client", store.share(), LEAST_OF_STORE);
    report.atLeast("restore / HDFS read", restore.share(), LEAST_OF_RESTORE);
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

  private static Map<String, String> settings(FlushedState state, Scratch scratch, String hdfs) {
    Map<String, String> settings = state.settings(scratch, 2);
    settings.put("store", hdfs + "/cairn");
    settings.put("store.hadoop.dfs.replication", String.valueOf(HdfsProcess.REPLICATION));
    settings.put("store.every", "1");
    return settings;
  }
}
