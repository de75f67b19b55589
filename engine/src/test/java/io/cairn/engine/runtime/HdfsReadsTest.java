package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.Topology;
import io.cairn.core.peer.LoopbackPeers;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.DeskTerms;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.sharing.Sharing;
import io.cairn.engine.sharing.SharingTerms;
import io.cairn.engine.sharing.desk.DeskHost;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.flush.store.CountingStore;
import io.cairn.flush.store.EmbeddedHdfs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A rank with leased slots reads no chunk from HDFS while a nearer copy exists. */
@Timeout(120)
class HdfsReadsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int TOY_BYTES = 5000 * Float.BYTES + Long.BYTES;

  @TempDir Path root;

  private final String hdfs = EmbeddedHdfs.freshRoot().toString();
  private final LoopbackPeers network = new LoopbackPeers(7);
  private final DeskHost desk =
      new DeskHost(
          new DeskTerms(TimeUnit.MILLISECONDS.toNanos(20), 100, 1000),
          holders -> Topology.builder(holders.size()).linkAll(1e9).host(1).build(),
          new ParametricFlowScheduler(true, false));
  private PeerTransport deskTransport;
  private long containerBytes;
  private long allBytes;

  @BeforeEach
  void serve() {
    deskTransport =
        network.open(
            desk.service((holder, message) -> deskTransport.ask(holder, message)), PATIENCE);
  }

  @AfterEach
  void close() throws Exception {
    deskTransport.close();
    desk.close();
  }

  private CairnEngine open(String node, String cacheSize) throws IOException {
    CairnConfig config =
        new Places(root.resolve(node))
            .config(
                "store",
                hdfs,
                "device.cacheSize",
                cacheSize,
                "node.every",
                "1",
                "store.every",
                "1");
    CountingStore store =
        new CountingStore(
            CheckpointStores.open(config.store(), EmbeddedHdfs.impatientClient(), Map.of()));
    CairnEngine cairn = CairnEngine.open(config, store);
    cairn.share(
        (cache, memory, threads) ->
            new Sharing(
                new SharingTerms(PATIENCE, PATIENCE, PATIENCE, 100),
                node,
                cache,
                memory,
                "here",
                0,
                deskTransport.address(),
                service -> network.open(service, PATIENCE),
                threads));
    return cairn;
  }

  /** Bytes that this process has read of HDFS, manifests included. */
  private static long bytesReadOfHdfs() {
    return FileSystem.getGlobalStorageStatistics().get("hdfs").getLong("bytesRead");
  }

  private RestoreReport restore(CairnEngine cairn, Checkpointer checkpointer, Toy toy) {
    CountingStore store = (CountingStore) cairn.store();
    long before = store.containerBytesRead();
    long beforeAll = bytesReadOfHdfs();
    RestoreReport report = checkpointer.restore().orElseThrow();
    containerBytes = store.containerBytesRead() - before;
    allBytes = bytesReadOfHdfs() - beforeAll;
    assertThat(report.id().iteration()).isEqualTo(2);
    assertThat(toy).isEqualTo(Toy.undisturbed(3));
    return report;
  }

  /**
   * Not a byte of a chunk, and in all less than one: only what says which checkpoints there are.
   */
  private void requireManifestsOnly() {
    assertThat(containerBytes).isZero();
    assertThat(allBytes).isLessThan(4096);
  }

  private void trainAndUndoABadStep() throws IOException {
    try (CairnEngine lender = open("lender", "1m");
        CairnEngine cairn = open("rank", "8k");
        Checkpointer checkpointer = cairn.join("rank")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      assertThat(toy.run(checkpointer, 0, 3).sealed(Level.STORE).join())
          .isEqualTo(new Outcome.Sealed(Level.STORE));
      toy.step(1000);
      assertThat(restore(cairn, checkpointer, toy).level()).isEqualTo(Level.DEVICE);
      requireManifestsOnly();
      assertThat(lender.counters().snapshot()).containsEntry("captures", 0L);
    }
  }

  private Level restartOn(String node) throws IOException {
    try (CairnEngine cairn = open(node, "1m");
        Checkpointer checkpointer = cairn.join("rank")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      return restore(cairn, checkpointer, toy).level();
    }
  }

  @Test
  void noByteOfAChunkIsReadOfItUnlessTheNodeIsLost() throws Exception {
    trainAndUndoABadStep();
    assertThat(restartOn("rank")).isEqualTo(Level.NODE);
    requireManifestsOnly();
    assertThat(restartOn("another")).isEqualTo(Level.STORE);
    assertThat(containerBytes).as("once").isBetween(1L * TOY_BYTES, 2L * TOY_BYTES - 1);
    assertThat(allBytes).isGreaterThanOrEqualTo(containerBytes);
  }
}
