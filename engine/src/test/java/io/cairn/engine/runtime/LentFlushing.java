package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointTicket;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two ranks on one machine: the first lends, and the second has room for half of its state. It
 * shows what is at NODE afterwards, and that it is restored.
 */
abstract class LentFlushing {
  static final Duration PATIENCE = Duration.ofSeconds(10);
  static final int CHUNK_BYTES = 4096;
  static final String OWN = "writer-r00001.chunks";
  static final String REST = "writer-r00001-rest.chunks";

  /** A rank's state takes six chunks. */
  static final int CHUNKS = 6;

  @TempDir Path root;

  Path node() {
    return root.resolve("node");
  }

  NodeFiles files() {
    return new NodeFiles(node());
  }

  String[] roomy() {
    return settings("1m", node());
  }

  String[] tight() {
    return settings("12k", node());
  }

  /** Settings of a rank; tests may want others. */
  String[] settings(String cacheSize, Path node) {
    return new String[] {
      "device.cacheSize", cacheSize, "node.dir", node.toString(), "node.every", "1"
    };
  }

  SharedMachine machine(Duration patience, UnaryOperator<PeerService> lending) throws IOException {
    return new SharedMachine(root, patience, lending, roomy(), tight());
  }

  /** Replaces the answers of the first rank to orders to flush. */
  interface Lending {
    CompletionStage<byte[]> answer(byte[] order, PeerService lender);
  }

  static UnaryOperator<PeerService> on(Lending lending) {
    return lender ->
        new PeerService() {
          @Override
          public CompletionStage<byte[]> answer(byte[] question) {
            return isOrder(question) ? lending.answer(question, lender) : lender.answer(question);
          }

          @Override
          public PeerSink receive(byte[] header, long bytes) throws IOException {
            return lender.receive(header, bytes);
          }
        };
  }

  private static boolean isOrder(byte[] question) {
    try {
      return Wire.decode(question, PeerRequest.class) instanceof PeerRequest.Flush;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Trains both ranks together; the last ticket of each. */
  static List<CheckpointTicket> train(SharedMachine machine, long iterations) throws Exception {
    CyclicBarrier together = new CyclicBarrier(2);
    return machine
        .ranks()
        .each(
            (rank, checkpointer) -> {
              Toy toy = Ranks.toy(rank);
              toy.protectBy(checkpointer);
              CheckpointTicket last = null;
              for (long i = 0; i < iterations; i++) {
                toy.step(i);
                together.await();
                last = checkpointer.checkpoint(i);
                assertThat(last.captured().join()).isInstanceOf(Outcome.Captured.class);
                assertThat(last.sealed(Level.DEVICE).join()).isInstanceOf(Outcome.Sealed.class);
                last.sealed(Level.STORE).join();
              }
              together.await();
              return Objects.requireNonNull(last);
            });
  }

  /** Both ranks, on Cairns of their own, go back to the end of {@code iterations}. */
  void assertRestores(Level level, long iterations) throws Exception {
    try (Ranks ranks = new Ranks(root, List.of(roomy(), roomy()))) {
      List<RestoreReport> reports =
          ranks.each(
              (rank, checkpointer) -> {
                Toy toy = new Toy();
                toy.protectBy(checkpointer);
                RestoreReport report = checkpointer.restore().orElseThrow();
                assertThat(toy).isEqualTo(Ranks.undisturbed(rank, iterations));
                return report;
              });
      assertThat(reports).extracting(RestoreReport::level).containsOnly(level);
    }
  }

  static List<String> all(Map<String, List<String>> containers) {
    return containers.values().stream().flatMap(Collection::stream).sorted().toList();
  }

  /**
   * Each chunk is in one container, and the borrower's own has no more than fits into its cache.
   */
  Map<String, List<String>> requireOnce(long iteration) throws IOException {
    Map<String, List<String>> containers = files().containers(iteration, 1);
    assertThat(all(containers)).hasSize(CHUNKS).doesNotHaveDuplicates();
    assertThat(containers.get(OWN)).hasSizeLessThanOrEqualTo(3);
    return containers;
  }

  void deleteNode() throws IOException {
    try (LocalStore store = LocalStore.openForReading(root)) {
      assertThat(store.deleteDirectory("node")).isTrue();
    }
  }
}
