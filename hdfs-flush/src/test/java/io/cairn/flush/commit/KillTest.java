package io.cairn.flush.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.protocol.Lineage;
import io.cairn.flush.format.ContainerReader;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a writing process at seeded moments, repeatedly over the same store. Checkpoints that it
 * reported as committed are found, whole and count. Unfinished ones are never taken for whole.
 */
class KillTest {
  private static final long SEED = 20;
  private static final int MOST_CHECKPOINTS = 12;
  private static final int LONGEST_PAUSE_MILLIS = 40;
  private static final int LIVES_PER_STORE = 5;

  private final ByteBuffer staging = ByteBuffer.allocateDirect(1 << 14);

  @TempDir private Path directory = Path.of("");

  @Test
  @Timeout(300)
  void fifteenKills() throws Exception {
    kill(15);
  }

  @Test
  @Tag("proof")
  void twoHundredKills() throws Exception {
    kill(200);
  }

  private void kill(int times) throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    int reported = 0;
    int unfinished = 0;
    for (int begun = 0; begun < times; begun += LIVES_PER_STORE) {
      Path root = directory.resolve("store-" + begun);
      Set<CheckpointId> committed = new HashSet<>();
      for (int life = begun; life < Math.min(times, begun + LIVES_PER_STORE); life++) {
        committed.addAll(
            live(root, random.nextInt(MOST_CHECKPOINTS), random.nextInt(LONGEST_PAUSE_MILLIS)));
        unfinished += judge(root, committed, "seed " + SEED + ", life " + life);
      }
      reported += committed.size();
      try (CheckpointStore store = LocalStore.open(root, Durability.PROCESS)) {
        store.deleteDirectory(Written.GROUP.job());
      }
    }
    assertThat(reported).as("lives were long enough to commit").isGreaterThan(times);
    assertThat(unfinished).as("some were killed in mid-checkpoint").isPositive();
  }

  /** Checks all that the store holds; returns how many checkpoints are unfinished. */
  private int judge(Path root, Set<CheckpointId> committed, String when) throws IOException {
    try (CheckpointStore store = LocalStore.openForReading(root)) {
      Inventory.Listing listing = Inventory.list(store, Written.GROUP);
      assertThat(listing.problems()).as(when).isEmpty();
      Set<CheckpointId> lost = new TreeSet<>(committed);
      alive(listing).forEach(lost::remove);
      assertThat(lost).as("%s: reported committed, and not found or not alive", when).isEmpty();
      for (StoredCheckpoint stored : listing.checkpoints().values()) {
        requireWhole(store, stored);
      }
      return listing.unfinished().size();
    }
  }

  private static List<CheckpointId> alive(Inventory.Listing listing) {
    Map<CheckpointId, Ancestry> manifests = new TreeMap<>();
    listing.checkpoints().forEach((id, stored) -> manifests.put(id, stored.ancestry()));
    return Lineage.alive(manifests);
  }

  private void requireWhole(CheckpointStore store, StoredCheckpoint stored) throws IOException {
    assertThat(stored.coversGroup()).isTrue();
    try (ContainerReader reader =
        ContainerReader.open(store, stored.id(), stored.containersOf(0).get(0))) {
      reader.verify(0, staging);
      assertThat(reader.images(0)).isEqualTo(KilledWriter.content(stored.id()).images());
    }
  }

  /**
   * Runs a writer until it has reported a number of checkpoints, and kills it a moment later;
   * returns what it reported. A machine that is busy makes the life longer, and not emptier.
   */
  private static List<CheckpointId> live(Path root, int checkpoints, int millis)
      throws IOException, InterruptedException {
    List<String> lines = new ArrayList<>();
    try (ChildProcess writer = Command.java(KilledWriter.class, root).small(64).start()) {
      assertThat(writer.line(ChildProcess.PATIENCE)).contains("ready");
      for (int i = 0; i < checkpoints; i++) {
        lines.add(writer.line(ChildProcess.PATIENCE).orElseThrow());
      }
      assertThat(writer.waitFor(Duration.ofMillis(millis))).as("ended by itself").isFalse();
      writer.kill();
      lines.addAll(writer.rest());
    }
    return lines.stream()
        .map(name -> CheckpointId.parse(Written.GROUP, name).orElseThrow())
        .toList();
  }
}
