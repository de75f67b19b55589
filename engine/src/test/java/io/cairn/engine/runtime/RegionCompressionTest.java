package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Checkpointer;
import io.cairn.Compression;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RegionOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Regions that ask for a compression of their own. */
@Timeout(60)
class RegionCompressionTest {
  private static final int BYTES = 100_000;
  private static final RegionOptions ZSTD = RegionOptions.DEFAULT.withCompression(Compression.ZSTD);
  private static final RegionOptions NONE = RegionOptions.DEFAULT.withCompression(Compression.NONE);

  @TempDir Path root;

  private CairnEngine open(String codec) throws IOException {
    return new Places(root)
        .open("node.every", "1", "store.every", "1", "node.codec", codec, "store.codec", codec);
  }

  /** Zeros and letters, either of which shrinks. */
  private static byte[] letters() {
    byte[] letters = new byte[BYTES];
    Random random = new Random(4);
    for (int i = 0; i < BYTES; i++) {
      letters[i] = (byte) ('a' + random.nextInt(4));
    }
    return letters;
  }

  private Map<String, Long> save(String codec, RegionOptions zeros, RegionOptions letters)
      throws IOException {
    try (CairnEngine cairn = open(codec);
        Checkpointer checkpointer = cairn.join("run")) {
      checkpointer.protect(Region.of("zeros", new byte[BYTES]), zeros);
      checkpointer.protect(Region.of("letters", letters()), letters);
      assertThat(checkpointer.checkpoint(0).sealed(Level.STORE).join())
          .isEqualTo(new Outcome.Sealed(Level.STORE));
      return cairn.counters().snapshot();
    }
  }

  @Test
  void areCompressedThoughTheLevelsAreNot() throws IOException {
    Map<String, Long> counters = save("none", ZSTD, RegionOptions.DEFAULT);

    assertThat(counters.get("node.written.bytes")).isBetween((long) BYTES, BYTES + 10_000L);
    assertThat(counters.get("store.written.bytes")).isBetween((long) BYTES, BYTES + 10_000L);
  }

  @Test
  void areNotCompressedThoughTheLevelsAre() throws IOException {
    Map<String, Long> counters = save("zstd", RegionOptions.DEFAULT, NONE);

    assertThat(counters.get("node.written.bytes")).isBetween((long) BYTES, BYTES + 10_000L);
    assertThat(counters.get("store.written.bytes")).isBetween((long) BYTES, BYTES + 10_000L);
  }

  @Test
  void areRestoredByAProgramThatAsksForAnother() throws IOException {
    save("none", ZSTD, ZSTD);
    byte[] zeros = new byte[BYTES];
    byte[] letters = new byte[BYTES];
    zeros[7] = 7;

    try (CairnEngine cairn = open("lz4");
        Checkpointer checkpointer = cairn.join("run")) {
      checkpointer.protect(Region.of("zeros", zeros), NONE);
      checkpointer.protect(Region.of("letters", letters));
      assertThat(checkpointer.restore()).isPresent();
    }

    assertThat(zeros).isEqualTo(new byte[BYTES]);
    assertThat(letters).isEqualTo(letters());
  }
}
