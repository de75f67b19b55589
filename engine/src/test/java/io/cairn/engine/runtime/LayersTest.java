package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RestoreReport;
import io.cairn.flush.store.EmbeddedHdfs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints that lean on older ones at NODE and in an HDFS, and are restored from both. */
@Timeout(120)
class LayersTest {
  private static final int FROZEN = 20_000;
  private static final int ITERATIONS = 12;

  @TempDir Path root;

  private final String hdfs = EmbeddedHdfs.freshRoot().toString();

  private CairnEngine open(String node) throws IOException {
    return new Places(root.resolve(node))
        .open(
            "store",
            hdfs,
            "keep",
            "1",
            "node.every",
            "1",
            "store.every",
            "1",
            "node.maxLayers",
            "3",
            "store.maxLayers",
            "2");
  }

  private static float[] protect(Toy toy, Checkpointer checkpointer) {
    toy.protectBy(checkpointer);
    float[] frozen = new float[FROZEN];
    checkpointer.protect(Region.of("frozen", frozen));
    return frozen;
  }

  private Map<String, Long> train() throws IOException {
    try (CairnEngine cairn = open("rank");
        Checkpointer checkpointer = cairn.join("rank")) {
      Toy toy = new Toy();
      float[] frozen = protect(toy, checkpointer);
      for (int i = 0; i < frozen.length; i++) {
        frozen[i] = i;
      }
      for (int i = 0; i < ITERATIONS; i++) {
        assertThat(toy.run(checkpointer, i, i + 1).sealed(Level.STORE).join())
            .isEqualTo(new Outcome.Sealed(Level.STORE));
      }
      return cairn.counters().snapshot();
    }
  }

  private Level restartOn(String node) throws IOException {
    try (CairnEngine cairn = open(node);
        Checkpointer checkpointer = cairn.join("rank")) {
      Toy toy = new Toy();
      float[] frozen = protect(toy, checkpointer);
      RestoreReport report = checkpointer.restore().orElseThrow();
      assertThat(report.id().iteration()).isEqualTo(ITERATIONS - 1);
      assertThat(toy).isEqualTo(Toy.undisturbed(ITERATIONS));
      assertThat(frozen[FROZEN - 1]).isEqualTo(FROZEN - 1);
      return report.level();
    }
  }

  @Test
  void areWrittenWithoutWhatDidNotChangeAndRestoredToTheLastBit() throws IOException {
    Map<String, Long> counters = train();

    long state = ITERATIONS * ((5000L + FROZEN) * Float.BYTES + Long.BYTES);
    assertThat(counters).containsEntry("node.state.bytes", state);
    assertThat(counters.get("node.written.bytes")).isLessThan(state / 2);
    assertThat(counters.get("store.written.bytes")).isLessThan(state / 2);
    assertThat(restartOn("rank")).isEqualTo(Level.NODE);
    assertThat(restartOn("another")).isEqualTo(Level.STORE);
  }
}
