package io.cairn.lab.bench.flush;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.examples.demo.HdfsProcess;
import io.cairn.lab.bench.flush.FlushReport.Beside;
import io.cairn.lab.measure.Samples;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Sends one state down to NODE and to STORE on an HDFS of two DataNodes, and restores it from
 * there. Before each round, bare loops move the same bytes between the same places.
 */
record LevelsBenchmark(int mib, int rounds) {
  private static final int MIB = 1 << 20;
  private static final String JOB = "bench-flush";

  /** The three ways. */
  record Ways(Beside node, Beside store, Beside restore) {}

  Ways run(Scratch scratch) throws IOException {
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
      Map<String, String> settings = settings(scratch, hdfs.uri());
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
    return new Ways(beside(bareNode, node), beside(bareStore, store), beside(bareRead, restore));
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

  private static Beside beside(Samples bare, Samples own) {
    return new Beside(bare.quantileMillis(0.5), own.quantileMillis(0.5));
  }

  private Map<String, String> settings(Scratch scratch, String hdfs) {
    Map<String, String> settings = new HashMap<>();
    settings.put("job", JOB);
    settings.put("store", hdfs + "/cairn");
    settings.put("store.hadoop.dfs.replication", String.valueOf(HdfsProcess.REPLICATION));
    settings.put("node.dir", scratch.inMemory("node").toString());
    settings.put("device.dir", scratch.inMemory("device").toString());
    settings.put("device.cacheSize", String.valueOf(2L * mib * MIB));
    settings.put("chunkSize", String.valueOf(FlushedState.CHUNK_BYTES));
    settings.put("device.every", "1");
    settings.put("node.every", "1");
    settings.put("store.every", "1");
    settings.put("keep", "1");
    settings.put("queueSize", "16g");
    return settings;
  }
}
