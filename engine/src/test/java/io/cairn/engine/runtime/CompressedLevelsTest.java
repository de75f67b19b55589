package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import io.cairn.flush.store.EmbeddedHdfs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checkpoints whose chunks are compressed at NODE and in an HDFS, and restored from both. */
@Timeout(120)
class CompressedLevelsTest {
  @TempDir Path root;

  private final String hdfs = EmbeddedHdfs.freshRoot().toString();

  private CairnEngine open(String node, String atNode, String atStore) throws IOException {
    return new Places(root.resolve(node))
        .open(
            "store",
            hdfs,
            "node.every",
            "1",
            "store.every",
            "1",
            "node.codec",
            atNode,
            "store.codec",
            atStore);
  }

  private Level restartOn(String node) throws IOException {
    try (CairnEngine cairn = open(node, "none", "none");
        Checkpointer checkpointer = cairn.join("rank")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      RestoreReport report = checkpointer.restore().orElseThrow();
      assertThat(report.id().iteration()).isEqualTo(2);
      assertThat(toy).isEqualTo(Toy.undisturbed(3));
      return report.level();
    }
  }

  private Map<String, Long> train(String atNode, String atStore) throws IOException {
    try (CairnEngine cairn = open("rank", atNode, atStore);
        Checkpointer checkpointer = cairn.join("rank")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      assertThat(toy.run(checkpointer, 0, 3).sealed(Level.STORE).join())
          .isEqualTo(new Outcome.Sealed(Level.STORE));
      return cairn.counters().snapshot();
    }
  }

  /** The processes that restore have no codec configured. */
  @ParameterizedTest
  @CsvSource({
    "lz4, shuffle-zstd",
    "shuffle-zstd, lz4",
    "none, zstd",
    "zstd, none",
    "adaptive, adaptive"
  })
  void areRestoredToTheLastBitWhateverTheCodecs(String atNode, String atStore) throws IOException {
    train(atNode, atStore);

    assertThat(restartOn("rank")).isEqualTo(Level.NODE);
    assertThat(restartOn("another")).isEqualTo(Level.STORE);
  }

  @Test
  void countFewerBytesThanTheState() throws IOException {
    Map<String, Long> counters = train("zstd", "shuffle-zstd");

    long state = 3 * (5000L * Float.BYTES + Long.BYTES);
    assertThat(counters).containsEntry("node.state.bytes", state);
    assertThat(counters).containsEntry("store.state.bytes", state);
    assertThat(counters.get("node.written.bytes")).isBetween(1L, state * 15 / 16);
    assertThat(counters.get("store.written.bytes")).isBetween(1L, state * 7 / 8);
  }

  @Test
  void withoutACodecTheyAreTheStateAndItsFrame() throws IOException {
    Map<String, Long> counters = train("none", "none");

    assertThat(counters.get("store.written.bytes"))
        .isGreaterThan(counters.get("store.state.bytes"));
  }
}
