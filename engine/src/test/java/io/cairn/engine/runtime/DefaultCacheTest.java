package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.cache.memory.cuda.FakeCuda;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cache without a configured size takes memory when the regions of a rank are known. */
@Timeout(60)
class DefaultCacheTest {
  private static final int CHUNK_BYTES = 4096;
  private static final int TOY_CHUNKS = 6;

  @TempDir Path root;

  private CairnEngine open() throws IOException {
    return new Places(root).open("device.cacheSize", "", "capture.wait", "20s");
  }

  private long takenBytes() throws IOException {
    try (Stream<Path> files = Files.list(root.resolve("device/arenas"))) {
      long bytes = 0;
      for (Path file : files.toList()) {
        bytes += Files.size(file);
      }
      return bytes;
    }
  }

  private static int slots(CairnEngine cairn) {
    CacheUse use = cairn.cacheUse().toCompletableFuture().join();
    return use.own() + use.leased() + use.free() + use.quarantined();
  }

  @Test
  void itTakesOneChunkUntilRegionsAreProtected() throws Exception {
    try (CairnEngine cairn = open();
        Checkpointer checkpointer = cairn.join("run")) {
      assertThat(takenBytes()).isEqualTo(CHUNK_BYTES);
      assertThat(slots(cairn)).isEqualTo(1);
      checkpointer.protect(Region.of("state", new byte[10 * CHUNK_BYTES]));
      assertThat(takenBytes()).isEqualTo(CHUNK_BYTES);

      checkpointer.restore();

      assertThat(slots(cairn)).isEqualTo(21);
      assertThat(takenBytes()).isEqualTo(21 * CHUNK_BYTES);
    }
  }

  @Test
  void itTakesNoMoreOfAGpuEither() throws Exception {
    Places places = new Places(root);
    String[] onGpu = {
      "device.kind",
      "cuda",
      "cairn.device.cudaLibrary",
      FakeCuda.library(),
      "device.cacheSize",
      "",
      "capture.wait",
      "20s"
    };
    try (CairnEngine cairn = places.open(onGpu);
        Checkpointer checkpointer = cairn.join("run")) {
      assertThat(slots(cairn)).isEqualTo(1);
      Toy toy = new Toy();
      toy.protectBy(checkpointer);

      assertThat(toy.run(checkpointer, 0, 9).sealed(Level.STORE).get())
          .isEqualTo(new Outcome.Sealed(Level.STORE));

      assertThat(slots(cairn)).isEqualTo(16);
      assertThat(cairn.counters().count(Level.DEVICE, Outcome.Skipped.class)).isZero();
    }
  }

  @Test
  void everyRankOfTheProcessHasRoomForTwoStates() throws Exception {
    try (CairnEngine cairn = open()) {
      try (Checkpointer one = cairn.join("one");
          Checkpointer two = cairn.join("two")) {
        for (Checkpointer checkpointer : List.of(one, two)) {
          Toy toy = new Toy();
          toy.protectBy(checkpointer);
          assertThat(toy.run(checkpointer, 0, 9).sealed(Level.STORE).get())
              .isEqualTo(new Outcome.Sealed(Level.STORE));
        }
        assertThat(slots(cairn)).isEqualTo(2 * (2 * TOY_CHUNKS) + 1);
      }
      try (Checkpointer later = cairn.join("later")) {
        Toy toy = new Toy();
        toy.protectBy(later);
        toy.run(later, 0, 9);
      }
      assertThat(slots(cairn)).isEqualTo(2 * (2 * TOY_CHUNKS) + 1);
      assertThat(cairn.counters().count(Level.DEVICE, Outcome.Skipped.class)).isZero();
    }
  }

  @Test
  void aStateThatBecomesLongerFindsRoom() throws Exception {
    byte[][] values = {new byte[CHUNK_BYTES]};
    try (CairnEngine cairn = open();
        Checkpointer checkpointer = cairn.join("run")) {
      checkpointer.protect(
          Region.resizable("values", () -> values[0], bytes -> values[0] = new byte[(int) bytes]));
      for (int i = 0; i < 40; i++) {
        values[0] = new byte[(i + 1) * CHUNK_BYTES];
        assertThat(checkpointer.checkpoint(i).captured().get())
            .isInstanceOf(Outcome.Captured.class);
      }
      try (Stream<Path> files = Files.list(root.resolve("device/arenas"))) {
        assertThat(files).hasSizeLessThan(30);
      }
    }
  }
}
