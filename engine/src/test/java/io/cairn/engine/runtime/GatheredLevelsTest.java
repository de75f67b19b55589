package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.RestoreReport;
import io.cairn.cache.memory.GatheredSpans;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A gathered region passes through every level as one of its length does: plain, compressed, by
 * differences, and past a device cache that is too small.
 */
@Timeout(60)
class GatheredLevelsTest {
  private static final long LAST = 8;

  @TempDir Path root;

  private CairnEngine open(String settings) throws IOException {
    return new Places(root).open(settings.isEmpty() ? new String[0] : settings.split("[ =]"));
  }

  private static GatheredSpans tensors() {
    List<Integer> lengths = IntStream.range(0, 150).map(i -> i * 7 % 200).boxed().toList();
    return GatheredSpans.of(lengths, new Random(31));
  }

  /** Random bytes, of which the next iteration changes all, or none in every second one. */
  private static void train(Checkpointer checkpointer, GatheredSpans spans) {
    for (long i = 0; i < LAST; i++) {
      spans.scramble(i / 2);
      checkpointer.checkpoint(i).captured().join();
    }
    spans.scramble(LAST);
    checkpointer.end(LAST);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "node.codec=shuffle-zstd store.codec=lz4",
        "node.maxLayers=3 store.maxLayers=3",
        "device.cacheSize=12k"
      })
  void spansComeBackFromNodeAndFromStore(String settings) throws Exception {
    byte[] image;
    try (CairnEngine cairn = open(settings);
        Checkpointer checkpointer = cairn.join("run")) {
      GatheredSpans spans = tensors();
      checkpointer.protect(spans.region("tensors"));
      train(checkpointer, spans);
      image = spans.image();
    }
    assertThat(image).hasSizeGreaterThan(16 << 10);

    for (Level level : List.of(Level.NODE, Level.STORE)) {
      if (level == Level.STORE) {
        delete(new Places(root).node());
      }
      try (CairnEngine cairn = open("");
          Checkpointer checkpointer = cairn.join("run")) {
        GatheredSpans spans = tensors();
        checkpointer.protect(spans.region("tensors"));
        RestoreReport report = checkpointer.restore().orElseThrow();

        assertThat(report.level()).isEqualTo(level);
        assertThat(report.id().iteration()).isEqualTo(LAST);
        assertThat(spans.image()).isEqualTo(image);
      }
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    Files.createDirectory(directory);
  }
}
