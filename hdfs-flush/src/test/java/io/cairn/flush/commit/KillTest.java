package io.cairn.flush.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.protocol.Lineage;
import io.cairn.flush.format.ContainerReader;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.LocalStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A writing process is killed at seeded random moments, again and again over the same store: what
 * it reported committed is found, is whole and counts; what it was writing is never taken for
 * whole.
 */
class KillTest {
  private static final long SEED = 20;
  private static final int LONGEST_LIFE_MILLIS = 250;

  private final ByteBuffer staging = ByteBuffer.allocateDirect(4096);

  @TempDir private Path root = Path.of("");

  @Test
  @Timeout(300)
  void thirtyKills() throws Exception {
    kill(30);
  }

  @Test
  @Tag("proof")
  void twoHundredKills() throws Exception {
    kill(200);
  }

  private void kill(int times) throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    List<CheckpointId> reported = new ArrayList<>();
    int unfinished = 0;
    for (int life = 0; life < times; life++) {
      List<CheckpointId> news = live(random.nextInt(LONGEST_LIFE_MILLIS));
      reported.addAll(news);
      try (CheckpointStore store = LocalStore.openForReading(root)) {
        Inventory.Listing listing = Inventory.list(store, Written.GROUP);
        String when = "seed " + SEED + ", life " + life;
        assertThat(listing.problems()).as(when).isEmpty();
        assertThat(alive(listing)).as(when).containsAll(reported);
        long epoch = listing.everything().isEmpty() ? 0 : listing.everything().last().epoch();
        for (StoredCheckpoint stored : listing.checkpoints().values()) {
          if (stored.id().epoch() == epoch || life == times - 1) {
            requireWhole(store, stored);
          }
        }
        unfinished = listing.unfinished().size();
      }
    }
    assertThat(reported).as("lives were long enough to commit").hasSizeGreaterThan(times);
    assertThat(unfinished).as("some were killed in mid-checkpoint").isPositive();
  }

  private static List<CheckpointId> alive(Inventory.Listing listing) {
    Map<CheckpointId, Ancestry> manifests = new TreeMap<>();
    listing.checkpoints().forEach((id, stored) -> manifests.put(id, stored.ancestry()));
    return Lineage.alive(manifests);
  }

  private void requireWhole(CheckpointStore store, StoredCheckpoint stored) throws IOException {
    assertThat(stored.coversGroup()).isTrue();
    try (ContainerReader reader =
        ContainerReader.open(store, stored.id(), stored.containerOf(0).orElseThrow())) {
      reader.verify(0, staging);
      assertThat(reader.images(0)).isEqualTo(KilledWriter.content(stored.id()).images());
    }
  }

  /** Runs a writer and kills it; returns what it reported. */
  private List<CheckpointId> live(int millis) throws IOException, InterruptedException {
    Process writer =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                KilledWriter.class.getName(),
                root.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader lines = writer.inputReader()) {
      assertThat(lines.readLine()).isEqualTo("ready");
      assertThat(writer.waitFor(millis, TimeUnit.MILLISECONDS)).as("ended by itself").isFalse();
      // not through the process itself, which would close what it had said
      assertThat(writer.toHandle().destroyForcibly()).isTrue();
      return lines
          .lines()
          .map(name -> CheckpointId.parse(Written.GROUP, name).orElseThrow())
          .toList();
    } finally {
      writer.destroyForcibly().waitFor();
    }
  }
}
