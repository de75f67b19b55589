package io.cairn.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.core.protocol.Lineage;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.ManifestCommit;
import io.cairn.flush.commit.Retention;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * Reports stay true over several lives of a process. The store refuses, loses replies, answers
 * late, tears, loses power and dies, all from a seed.
 */
class CrashPropertyTest {
  private static final int LIVES = 4;

  private final Set<CheckpointId> committed = new TreeSet<>();
  private final Set<CheckpointId> failed = new TreeSet<>();
  private final Set<CheckpointId> doomed = new TreeSet<>();
  private final Set<Long> epochs = new TreeSet<>();
  private Set<CheckpointId> kept = Set.of();

  @RepeatedTest(200)
  void committedManifestsAreFoundAndFailedOnesAreNot(RepetitionInfo info) throws IOException {
    run(info.getCurrentRepetition(), false);
  }

  @RepeatedTest(200)
  void keptCheckpointsAreFoundAlthoughDeletesFail(RepetitionInfo info) throws IOException {
    run(info.getCurrentRepetition(), true);
  }

  private void run(long seed, boolean retaining) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    CrashingMedium medium = new CrashingMedium(seed);
    for (int life = 0; life < LIVES; life++) {
      CrashingStore store = new CrashingStore(medium, random.nextLong());
      store.failRandomly(random.nextInt(3) * 0.05);
      if (random.nextBoolean()) {
        store.killAfter(random.nextInt(150));
      }
      try {
        live(store, 1 + random.nextInt(6), retaining);
      } catch (IOException | ProcessKilledException e) {
        assertThat(e).as("seed %d", seed).hasMessageContaining("memory:/crashing");
      }
      if (random.nextBoolean()) {
        medium.applyLate();
      }
      if (random.nextInt(3) == 0) {
        medium.crash();
      }
    }
    medium.applyLate();
    judge(new CrashingStore(medium, 0), seed);
  }

  private void live(CheckpointStore store, int checkpoints, boolean retaining) throws IOException {
    long epoch = new EpochFiles(store).take(Written.GROUP, 0, "one life");
    assertThat(epochs.add(epoch)).as("epoch %d was never taken before", epoch).isTrue();
    Ancestry line = line(store);
    for (int i = 0; i < checkpoints; i++) {
      CheckpointId id = Written.id(epoch, i);
      CommitOutcome outcome = write(store, id, line);
      if (outcome instanceof CommitOutcome.Committed) {
        committed.add(id);
        if (retaining) {
          retain(store, id);
        }
      } else if (outcome instanceof CommitOutcome.Failed) {
        failed.add(id);
      }
    }
  }

  /** A container that cannot be written is a failure, too: nothing is published. */
  private static CommitOutcome write(CheckpointStore store, CheckpointId id, Ancestry line) {
    ContainerSummary container;
    try {
      container = Written.container(store, id, 0, 1);
    } catch (IOException e) {
      return new CommitOutcome.Failed(String.valueOf(e.getMessage()));
    }
    return new ManifestCommit(store)
        .commit(Written.manifest(id, 1, line, List.of(container)), StoreNames.MANIFEST);
  }

  private void retain(CheckpointStore store, CheckpointId newest) throws IOException {
    kept = Set.of(newest); // holds wherever the process dies during the call
    committed.stream().filter(id -> !id.equals(newest)).forEach(doomed::add);
    Retention.Report report = new Retention(store).apply(Written.GROUP, newest.epoch(), 2);
    if (!report.kept().isEmpty()) {
      kept = Set.copyOf(report.kept());
    }
    assertThat(report.deleted()).noneMatch(kept::contains);
  }

  private static Ancestry line(CheckpointStore store) throws IOException {
    Map<CheckpointId, Ancestry> found = manifests(Inventory.list(store, Written.GROUP));
    List<CheckpointId> alive = Lineage.alive(found);
    return alive.isEmpty()
        ? Ancestry.NONE
        : found.getOrDefault(alive.get(0), Ancestry.NONE).continuedFrom(alive.get(0));
  }

  private static Map<CheckpointId, Ancestry> manifests(Inventory.Listing listing) {
    Map<CheckpointId, Ancestry> found = new TreeMap<>();
    listing.checkpoints().forEach((id, stored) -> found.put(id, stored.ancestry()));
    return found;
  }

  private void judge(CheckpointStore store, long seed) throws IOException {
    Inventory.Listing listing = Inventory.list(store, Written.GROUP);
    assertThat(listing.problems()).as("seed %d", seed).isEmpty();
    for (StoredCheckpoint stored : listing.checkpoints().values()) {
      Written.requireReadable(store, stored);
    }
    Set<CheckpointId> found = listing.checkpoints().keySet();
    assertThat(found).as("seed %d: failed", seed).noneMatch(failed::contains);
    assertThat(found).as("seed %d: kept", seed).containsAll(kept);
    committed.removeAll(doomed);
    assertThat(found).as("seed %d: committed", seed).containsAll(committed);
  }
}
