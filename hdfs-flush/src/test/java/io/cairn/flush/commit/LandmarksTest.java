package io.cairn.flush.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.CheckpointId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.flush.format.LayeredRank;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.StoreNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** The first checkpoints of windows of iterations, which stay when newer ones come. */
class LandmarksTest {
  private final MemoryStore store = new MemoryStore("m");

  private List<CheckpointId> seal(CheckpointId id, Ancestry line, RetentionPolicy policy)
      throws IOException {
    Written.sealed(store, id, 1, line);
    return new Retention(store).apply(Written.GROUP, id.epoch(), policy).kept();
  }

  @Test
  void theFirstOfEachWindowStays() throws IOException {
    RetentionPolicy policy = RetentionPolicy.newest(2).andEvery(10);
    List<CheckpointId> kept = List.of();
    for (int iteration = 3; iteration <= 33; iteration += 3) {
      kept = seal(Written.id(1, iteration), Ancestry.NONE, policy);
    }

    assertThat(kept).extracting(CheckpointId::iteration).containsExactly(33L, 30L, 21L, 12L, 3L);
    assertThat(Inventory.list(store, Written.GROUP).everything())
        .containsExactlyInAnyOrderElementsOf(kept);
  }

  /** A training goes on from the newest but one; the window's first one may be of either epoch. */
  @Test
  void landmarksOfTheLineBeforeStayAndThoseBesideItGo() throws IOException {
    RetentionPolicy policy = RetentionPolicy.newest(2).andEvery(10);
    for (int iteration : List.of(5, 12, 18, 21, 25)) {
      var unused = seal(Written.id(1, iteration), Ancestry.NONE, policy);
    }
    Ancestry line = Ancestry.NONE.continuedFrom(Written.id(1, 12));

    var unused = seal(Written.id(2, 19), line, policy);
    List<CheckpointId> kept = seal(Written.id(2, 28), line, policy);

    assertThat(kept)
        .containsExactly(Written.id(2, 28), Written.id(2, 19), Written.id(1, 12), Written.id(1, 5));
  }

  @Test
  void numbersThatMakeNoSenseAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> RetentionPolicy.newest(0));
    assertThatIllegalArgumentException().isThrownBy(() -> RetentionPolicy.newest(1).andEvery(-1));
  }

  /** Retention after each seal keeps what it would keep if it had seen everything at once. */
  @RepeatedTest(100)
  void whatIsKeptDoesNotDependOnWhenRetentionRuns(RepetitionInfo info) throws IOException {
    long seed = info.getCurrentRepetition();
    SplittableRandom random = new SplittableRandom(seed);
    RetentionPolicy policy =
        RetentionPolicy.newest(1 + random.nextInt(3))
            .andEvery(random.nextInt(4) * random.nextLong(1, 20));
    List<CheckpointId> all = new ArrayList<>();
    List<CheckpointId> kept = List.of();
    long iteration = 0;
    for (int i = 1 + random.nextInt(20); i > 0; i--) {
      iteration += 1 + random.nextInt(9);
      all.add(0, Written.id(1, iteration));
      Written.sealed(store, all.get(0), 1, Ancestry.NONE);
      if (random.nextBoolean() || i == 1) {
        kept = new Retention(store).apply(Written.GROUP, 1, policy).kept();
      }
    }

    assertThat(kept).as("seed %d", seed).isEqualTo(policy.kept(all, Map.of()));
    assertThat(Inventory.list(store, Written.GROUP).everything())
        .as("seed %d", seed)
        .isEqualTo(new TreeSet<>(kept));
  }

  /** A landmark leans on checkpoints that are no landmarks. */
  @RepeatedTest(60)
  void everyLandmarkCanBeRead(RepetitionInfo info) throws IOException {
    long seed = info.getCurrentRepetition();
    SplittableRandom random = new SplittableRandom(seed);
    RetentionPolicy policy =
        RetentionPolicy.newest(1 + random.nextInt(2)).andEvery(1 + random.nextInt(6));
    LayeredRank rank = new LayeredRank(0, 1, 1 + random.nextInt(4), random);
    Map<CheckpointId, List<byte[]>> contents = new TreeMap<>();
    for (int iteration = 1; iteration <= 15; iteration++) {
      CheckpointId id = Written.id(1, iteration);
      rank.change(random);
      var manifest = Written.manifest(id, 1, Ancestry.NONE, List.of(rank.write(store, id)));
      assertThat(new ManifestCommit(store).commit(manifest, StoreNames.MANIFEST))
          .isInstanceOf(CommitOutcome.Committed.class);
      contents.put(id, rank.sample().contents());
      var unused = new Retention(store).apply(Written.GROUP, 1, policy);
    }

    Map<CheckpointId, StoredCheckpoint> kept = Inventory.list(store, Written.GROUP).checkpoints();
    assertThat(kept.keySet())
        .as("seed %d", seed)
        .containsExactlyInAnyOrderElementsOf(
            policy.kept(new ArrayList<>(new TreeMap<>(contents).descendingKeySet()), Map.of()));
    for (StoredCheckpoint stored : kept.values()) {
      assertThat(LayeredRank.read(store, stored.id(), 0, stored.containersOf(0)))
          .as("seed %d, %s", seed, stored.id())
          .usingElementComparator(Arrays::compare)
          .isEqualTo(contents.get(stored.id()));
    }
  }
}
