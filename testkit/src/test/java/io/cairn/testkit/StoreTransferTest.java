package io.cairn.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.ManifestCommit;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.LayeredRank;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.restore.StoreTransfer;
import io.cairn.flush.restore.StoreTransfer.State;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Transfers that are killed and fail at seeded moments, over a medium that loses power. */
class StoreTransferTest {
  private static final int LIVES = 6;

  private final Map<CheckpointId, List<byte[]>> contents = new TreeMap<>();

  /** Two epochs of checkpoints, each leaning on older ones; the second begins at the newest. */
  private CheckpointStore source(SplittableRandom random) throws IOException {
    CheckpointStore store = new CrashingStore(new CrashingMedium(random.nextLong()), 0);
    LayeredRank rank = new LayeredRank(0, 1, 3, random);
    Ancestry line = Ancestry.NONE;
    for (long epoch = 1; epoch <= 2; epoch++) {
      assertThat(new EpochFiles(store).take(Written.GROUP, 0, "life " + epoch)).isEqualTo(epoch);
      CheckpointId id = Written.id(epoch, 0);
      for (long iteration = 1; iteration <= 3; iteration++) {
        id = Written.id(epoch, 10 * epoch + iteration);
        rank.change(random);
        ContainerSummary container = rank.write(store, id);
        contents.put(id, rank.sample().contents());
        CommitOutcome outcome =
            new ManifestCommit(store)
                .commit(Written.manifest(id, 1, line, List.of(container)), StoreNames.MANIFEST);
        assertThat(outcome).isInstanceOf(CommitOutcome.Committed.class);
      }
      line = line.continuedFrom(id);
    }
    return store;
  }

  private static List<StoreTransfer.Result> transfer(CheckpointStore from, CheckpointStore to)
      throws IOException {
    StoreTransfer.Plan plan = StoreTransfer.plan(from, Written.GROUP, Optional.empty());
    return new StoreTransfer(from, to, bytes -> {}).run(plan);
  }

  @RepeatedTest(60)
  void whatIsPublishedIsWholeAndALaterTransferCompletesIt(RepetitionInfo info) throws IOException {
    long seed = info.getCurrentRepetition();
    SplittableRandom random = new SplittableRandom(seed);
    CheckpointStore from = source(random);
    CrashingMedium medium = new CrashingMedium(seed);
    Set<CheckpointId> reported = new TreeSet<>();
    for (int life = 0; life < LIVES; life++) {
      CrashingStore to = new CrashingStore(medium, random.nextLong());
      to.failRandomly(random.nextInt(3) * 0.02);
      to.killAfter(random.nextInt(250));
      try {
        for (StoreTransfer.Result result : transfer(from, to)) {
          assertThat(result.state()).as("seed %d: %s", seed, result).isNotEqualTo(State.REFUSED);
          reported.add(result.id());
        }
      } catch (IOException | ProcessKilledException e) {
        assertThat(e).as("seed %d", seed).hasMessageContaining("memory:/crashing");
      }
      if (random.nextBoolean()) {
        medium.applyLate();
      }
      if (random.nextInt(3) == 0) {
        medium.crash();
      }
      assertThat(read(new CrashingStore(medium, 0), seed))
          .as("seed %d", seed)
          .containsAll(reported);
    }
    medium.applyLate();
    CheckpointStore healthy = new CrashingStore(medium, 0);

    List<StoreTransfer.Result> last = transfer(from, healthy);

    assertThat(last).as("seed %d", seed).noneMatch(each -> each.state() == State.REFUSED);
    assertThat(read(healthy, seed)).as("seed %d", seed).isEqualTo(contents.keySet());
    assertThat(new EpochFiles(healthy).take(Written.GROUP, 0, "resumed")).isEqualTo(3);
    assertThat(transfer(from, new CrashingStore(medium, 0)))
        .as("an epoch that was taken in the copy alone")
        .allMatch(each -> each.state() == State.REFUSED);
  }

  /** The checkpoints with a manifest, every byte of which has to be as in the source. */
  private Set<CheckpointId> read(CheckpointStore store, long seed) throws IOException {
    Inventory.Listing listing = Inventory.list(store, Written.GROUP);
    assertThat(listing.problems()).as("seed %d", seed).isEmpty();
    for (StoredCheckpoint stored : listing.checkpoints().values()) {
      assertThat(LayeredRank.read(store, stored.id(), 0, stored.containersOf(0)))
          .as("seed %d: %s", seed, stored.id())
          .usingElementComparator(Arrays::compare)
          .isEqualTo(contents.getOrDefault(stored.id(), List.of()));
    }
    return new TreeSet<>(listing.checkpoints().keySet());
  }

  /** A training deletes the oldest while it is copied. */
  @RepeatedTest(5)
  void aCheckpointThatIsDeletedMeanwhileIsNoDamage(RepetitionInfo info) throws IOException {
    CheckpointStore from = source(new SplittableRandom(info.getCurrentRepetition()));
    StoreTransfer.Plan plan = StoreTransfer.plan(from, Written.GROUP, Optional.empty());
    CheckpointId oldest = plan.chosen().get(0).id();
    // leaned on by newer ones or not, its manifest is gone
    from.delete(StoreNames.file(oldest, StoreNames.MANIFEST));
    from.delete(StoreNames.file(oldest, StoreNames.container(0)));
    CheckpointStore to = new CrashingStore(new CrashingMedium(1), 0);

    List<State> states = new ArrayList<>();
    new StoreTransfer(from, to, bytes -> {}).run(plan).forEach(each -> states.add(each.state()));

    assertThat(states.get(0)).isEqualTo(State.GONE);
    assertThat(Inventory.list(to, Written.GROUP).problems()).isEmpty();
  }

  /** The first one is the end of a training that was begun again. */
  @Test
  void onlyTheNewestCopyThatIsTheEndIsMarkedAsTheEnd() throws IOException {
    CheckpointStore from = source(new SplittableRandom(1));
    List<CheckpointManifest> all =
        StoreTransfer.plan(from, Written.GROUP, Optional.empty()).chosen();
    CheckpointId end = all.get(all.size() - 2).id();
    new GroupMemory(from).markEnd(end);
    CheckpointStore begunAgain = new CrashingStore(2);
    CheckpointStore ended = new CrashingStore(3);

    transfer(from, begunAgain);
    StoreTransfer.Plan last = StoreTransfer.plan(from, Written.GROUP, Optional.of(end));
    new StoreTransfer(from, ended, bytes -> {}).run(last);

    assertThat(new GroupMemory(begunAgain).end(Written.GROUP)).isEmpty();
    assertThat(new GroupMemory(ended).end(Written.GROUP)).contains(end);
  }

  /** An earlier transfer died in the middle of the file, and another attempt took the epoch. */
  @Test
  void anEpochOfAnotherAttemptIsNotAdopted() throws IOException {
    CheckpointStore from = source(new SplittableRandom(1));
    CheckpointStore to = new CrashingStore(2);
    transfer(from, to);
    String epoch = StoreNames.epoch(Written.GROUP, 2);
    to.delete(epoch);
    try (StoreOutput out = to.create(epoch)) {
      out.write(ByteBuffer.wrap("another".getBytes(StandardCharsets.UTF_8)));
      out.sync();
    }

    assertThat(transfer(from, to))
        .allMatch(each -> each.state() == State.REFUSED)
        .allMatch(each -> each.reason().contains("taken by other attempts"));
  }
}
