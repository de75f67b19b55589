package io.cairn.flush.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.flush.format.LayeredRank;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.Unreadable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Checkpoints that lean on older ones, and what retention leaves of those. */
class LeanedRetentionTest {
  private static final String FIRST = StoreNames.container(0);

  private final MemoryStore store = new MemoryStore("m");
  private final SplittableRandom unchanging = new SplittableRandom(1);
  private final Map<CheckpointId, List<List<byte[]>>> contents = new TreeMap<>();

  private List<LayeredRank> ranks(int size, int maxHolders, SplittableRandom random) {
    List<LayeredRank> ranks = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      ranks.add(new LayeredRank(rank, size, maxHolders, random));
    }
    return ranks;
  }

  private void seal(CheckpointId id, Ancestry line, List<LayeredRank> ranks) throws IOException {
    List<ContainerSummary> containers = new ArrayList<>();
    for (LayeredRank rank : ranks) {
      containers.add(rank.write(store, id));
    }
    contents.put(id, ranks.stream().map(rank -> rank.sample().contents()).toList());
    commit(id, line, containers);
  }

  private void commit(CheckpointId id, Ancestry line, List<ContainerSummary> containers) {
    var manifest = Written.manifest(id, containers.size(), line, containers);
    assertThat(new ManifestCommit(store).commit(manifest, StoreNames.MANIFEST))
        .isInstanceOf(CommitOutcome.Committed.class);
  }

  private void assertReadable(MemoryStore in, String script) throws IOException {
    for (StoredCheckpoint stored : Inventory.list(in, Written.GROUP).checkpoints().values()) {
      for (int rank : stored.ranks()) {
        assertThat(LayeredRank.read(in, stored.id(), rank, stored.containersOf(rank)))
            .as("%s, %s, rank %d", script, stored.id(), rank)
            .usingElementComparator(Arrays::compare)
            .isEqualTo(contents.getOrDefault(stored.id(), List.of()).get(rank));
      }
    }
  }

  private boolean hasContainer(CheckpointId id, int rank) {
    return store.files.containsKey(StoreNames.file(id, StoreNames.container(rank)));
  }

  /** A repair sets a container aside for a moment, or died there. */
  @Test
  void whatARepairSetsAsideStays() throws IOException {
    List<LayeredRank> ranks = ranks(1, 8, unchanging);
    for (int iteration = 1; iteration <= 3; iteration++) {
      seal(Written.id(1, iteration), Ancestry.NONE, ranks);
    }
    new Retention(store).apply(Written.GROUP, 1, 2);
    String aside = StoreNames.file(Written.id(1, 1), StoreNames.quarantined(FIRST));
    store.publish(StoreNames.file(Written.id(1, 1), FIRST), aside);
    ranks.get(0).forget();
    seal(Written.id(1, 4), Ancestry.NONE, ranks);
    seal(Written.id(1, 5), Ancestry.NONE, ranks);

    new Retention(store).apply(Written.GROUP, 1, 2);

    assertThat(store.files).containsKey(aside);
  }

  @Test
  void whatAKeptCheckpointLeansOnStaysAndIsNoCheckpoint() throws IOException {
    List<LayeredRank> ranks = ranks(1, 8, unchanging);
    seal(Written.id(1, 1), Ancestry.NONE, ranks);
    ranks.get(0).change(3);
    seal(Written.id(1, 2), Ancestry.NONE, ranks);

    Retention.Report report = new Retention(store).apply(Written.GROUP, 1, 1);

    assertThat(report.kept()).containsExactly(Written.id(1, 2));
    assertThat(report.deleted()).isEmpty();
    Inventory.Listing listing = Inventory.list(store, Written.GROUP);
    assertThat(listing.checkpoints()).containsOnlyKeys(Written.id(1, 2));
    assertThat(listing.leaned()).containsExactly(Written.id(1, 1));
    assertThat(listing.unfinished()).isEmpty();
    assertReadable(store, "one of two is kept");
  }

  @Test
  void aDropLeavesWhatOthersLeanOn() throws IOException {
    List<LayeredRank> ranks = ranks(2, 8, unchanging);
    seal(Written.id(1, 1), Ancestry.NONE, ranks);
    ranks.get(0).change(3);
    ranks.get(1).forget();
    seal(Written.id(1, 2), Ancestry.NONE, ranks);

    new Retention(store).drop(Written.id(1, 1));

    assertThat(Inventory.list(store, Written.GROUP).checkpoints())
        .containsOnlyKeys(Written.id(1, 2));
    assertThat(hasContainer(Written.id(1, 1), 0)).isTrue();
    assertThat(hasContainer(Written.id(1, 1), 1)).isFalse();
    assertReadable(store, "one of two is dropped");
  }

  @Test
  void whatNoCheckpointLeansOnAnyMoreIsDeleted() throws IOException {
    List<LayeredRank> ranks = ranks(1, 8, unchanging);
    seal(Written.id(1, 1), Ancestry.NONE, ranks);
    seal(Written.id(1, 2), Ancestry.NONE, ranks);
    new Retention(store).apply(Written.GROUP, 1, 1);
    ranks.get(0).forget();
    seal(Written.id(1, 3), Ancestry.NONE, ranks);

    Retention.Report report = new Retention(store).apply(Written.GROUP, 1, 1);

    assertThat(report.deleted()).containsExactly(Written.id(1, 1), Written.id(1, 2));
    assertThat(Inventory.list(store, Written.GROUP).everything()).containsExactly(Written.id(1, 3));
  }

  @Test
  void ofAnOldCheckpointOnlyTheContainersStayThatAreLeanedOn() throws IOException {
    List<LayeredRank> ranks = ranks(2, 8, unchanging);
    seal(Written.id(1, 1), Ancestry.NONE, ranks);
    ranks.get(1).forget();
    seal(Written.id(1, 2), Ancestry.NONE, ranks);

    new Retention(store).apply(Written.GROUP, 1, 1);

    assertThat(hasContainer(Written.id(1, 1), 0)).isTrue();
    assertThat(hasContainer(Written.id(1, 1), 1)).isFalse();
    assertReadable(store, "rank 1 is whole");
  }

  /** A later epoch deletes what older ones left unfinished. */
  @Test
  void aLaterEpochKeepsWhatACheckpointOfItsLineLeansOn() throws IOException {
    List<LayeredRank> ranks = ranks(1, 8, unchanging);
    seal(Written.id(1, 1), Ancestry.NONE, ranks);
    seal(Written.id(1, 2), Ancestry.NONE, ranks);
    new Retention(store).apply(Written.GROUP, 1, 1);
    Ancestry line = Ancestry.NONE.continuedFrom(Written.id(1, 2));
    ranks.get(0).forget();
    seal(Written.id(2, 3), line, ranks);

    new Retention(store).apply(Written.GROUP, 2, 2);

    assertThat(Inventory.list(store, Written.GROUP).checkpoints())
        .containsOnlyKeys(Written.id(1, 2), Written.id(2, 3));
    assertReadable(store, "epoch 2");
  }

  @Test
  void aCheckpointWithoutItsHolderIsAProblemAndAnOlderOneCounts() throws IOException {
    List<LayeredRank> ranks = ranks(1, 1, unchanging);
    seal(Written.id(1, 1), Ancestry.NONE, ranks);
    ranks.get(0).forget();
    seal(Written.id(1, 2), Ancestry.NONE, ranks);
    seal(Written.id(1, 3), Ancestry.NONE, ranks);
    store.files.remove(StoreNames.file(Written.id(1, 2), FIRST));

    Inventory.Listing listing = Inventory.list(store, Written.GROUP);

    assertThat(listing.checkpoints()).containsOnlyKeys(Written.id(1, 1));
    assertThat(listing.problems())
        .extracting(Inventory.Problem::id)
        .containsExactly(Written.id(1, 2), Written.id(1, 3));
    assertThat(listing.problems().get(1).reason())
        .contains("leans on e000001-i0000000002 writer-r00000.chunks", "does not exist");
    assertThatThrownBy(() -> Inventory.find(store, Written.id(1, 3), 0))
        .hasMessageContaining("does not exist");
  }

  @Test
  void aManifestIsNotCompleteWithoutItsHolders() throws IOException {
    LayeredRank rank = ranks(1, 8, unchanging).get(0);
    rank.write(store, Written.id(1, 1));
    ContainerSummary next = rank.write(store, Written.id(1, 2));
    var manifest = Written.manifest(Written.id(1, 2), 1, Ancestry.NONE, List.of(next));
    Inventory.requireContainers(store, manifest);
    String holder = StoreNames.file(Written.id(1, 1), FIRST);

    store.files.put(holder, Arrays.copyOf(store.content(holder), 9));

    assertThatThrownBy(() -> Inventory.requireContainers(store, manifest))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("leans on e000001-i0000000001", "which has 9");
  }

  /** It may lean on any older one, so nothing older is deleted meanwhile. */
  @Test
  void aManifestThatCannotBeReadNowProtectsAllOlderOnes() throws IOException {
    List<LayeredRank> ranks = ranks(1, 8, unchanging);
    seal(Written.id(1, 1), Ancestry.NONE, ranks);
    seal(Written.id(1, 2), Ancestry.NONE, ranks);
    ranks.get(0).forget();
    seal(Written.id(1, 3), Ancestry.NONE, ranks);
    seal(Written.id(1, 4), Ancestry.NONE, ranks);
    String unread = StoreNames.file(Written.id(1, 2), StoreNames.MANIFEST);
    CheckpointStore failing = Unreadable.file(store, unread);
    store.files.put(StoreNames.file(Written.id(1, 1), StoreNames.CERTIFIED), new byte[9]);

    new Retention(failing).apply(Written.GROUP, 1, 3);
    new Retention(failing).apply(Written.GROUP, 1, 2);

    assertThat(hasContainer(Written.id(1, 1), 0)).isTrue();
    assertThat(store.files)
        .as("a certificate goes with its manifest")
        .doesNotContainKeys(
            StoreNames.file(Written.id(1, 1), StoreNames.MANIFEST),
            StoreNames.file(Written.id(1, 1), StoreNames.CERTIFIED));
    assertReadable(store, "one was unreadable for a while");
  }

  /** Nothing shows that it leans on none, so nothing older is deleted meanwhile. */
  @Test
  void aCheckpointOfWhichNothingCanBeReadNowProtectsAllOlderOnes() throws IOException {
    List<LayeredRank> ranks = ranks(1, 8, unchanging);
    seal(Written.id(1, 1), Ancestry.NONE, ranks);
    seal(Written.id(1, 2), Ancestry.NONE, ranks);
    ranks.get(0).forget();
    seal(Written.id(1, 3), Ancestry.NONE, ranks);
    seal(Written.id(1, 4), Ancestry.NONE, ranks);
    CheckpointStore withoutManifest =
        Unreadable.file(store, StoreNames.file(Written.id(1, 2), StoreNames.MANIFEST));
    CheckpointStore failing =
        Unreadable.file(withoutManifest, StoreNames.file(Written.id(1, 2), FIRST));

    new Retention(failing).apply(Written.GROUP, 1, 2);

    assertThat(hasContainer(Written.id(1, 1), 0)).isTrue();
    assertReadable(store, "one was unreadable for a while");
  }

  /** Histories of several epochs: restarts, changes, deletions. */
  @RepeatedTest(150)
  void everyKeptCheckpointOfAnyHistoryIsReadable(RepetitionInfo info) throws IOException {
    long seed = info.getCurrentRepetition();
    SplittableRandom random = new SplittableRandom(seed);
    int keep = 1 + random.nextInt(3);
    int size = 1 + random.nextInt(2);
    List<LayeredRank> ranks = ranks(size, 1 + random.nextInt(4), random);
    Ancestry line = Ancestry.NONE;
    long iteration = 0;
    CheckpointId newest = Written.id(1, 0);
    for (long epoch = 1; epoch <= 3; epoch++) {
      for (int i = 1 + random.nextInt(12); i > 0; i--) {
        ranks.forEach(rank -> rank.change(random));
        newest = Written.id(epoch, ++iteration);
        if (random.nextInt(6) == 0) {
          ranks.get(0).write(store, newest); // never sealed, and leaned on
          continue;
        }
        seal(newest, line, ranks);
        Retention.Report report = retention(random).apply(Written.GROUP, epoch, keep);
        assertThat(report.problems()).as("seed %d", seed).isEmpty();
        assertThat(report.kept()).as("seed %d", seed).startsWith(newest);
        Inventory.Listing listing = Inventory.list(store, Written.GROUP);
        assertThat(listing.problems()).as("seed %d", seed).isEmpty();
        assertThat(listing.checkpoints().keySet()).as("seed %d", seed).containsAll(report.kept());
        assertReadable(store, "seed " + seed);
      }
      ranks.forEach(LayeredRank::forget);
      line = line.continuedFrom(newest);
    }
  }

  private Retention retention(SplittableRandom random) {
    return random.nextBoolean() ? new Retention(store) : Retention.amongWriters(store);
  }

  /** The deletion ends after each of its operations, as if its process died. */
  @Test
  void aDeletionThatBreaksOffAnywhereLeavesOnlyWholeCheckpoints() throws IOException {
    List<LayeredRank> ranks = ranks(1, 2, unchanging);
    for (int i = 1; i <= 6; i++) {
      seal(Written.id(1, i), Ancestry.NONE, ranks);
      ranks.get(0).change(i);
    }
    FaultyStore counting = new FaultyStore(store.copy());
    new Retention(counting).apply(Written.GROUP, 1, 1);

    for (int dies = 0; dies < counting.count(); dies++) {
      MemoryStore copy = store.copy();
      sweepUntil(new FaultyStore(copy).dieAt(dies));
      assertThat(Inventory.list(copy, Written.GROUP).problems()).as("dies %d", dies).isEmpty();
      assertReadable(copy, "dies " + dies);
      new Retention(copy).apply(Written.GROUP, 1, 1);
      assertReadable(copy, "after the next deletion, dies " + dies);
    }
  }

  private static void sweepUntil(FaultyStore dying) {
    try {
      new Retention(dying).apply(Written.GROUP, 1, 1);
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("scripted");
    }
  }

  /**
   * Another process publishes a checkpoint upon the one that is being deleted. At every moment of
   * the deletion it finds its base withdrawn, or its holders stay.
   */
  @Test
  void amongWritersACheckpointThatFindsItsBaseKeepsItsHolders() throws IOException {
    List<LayeredRank> ranks = ranks(1, 8, unchanging);
    CheckpointId base = Written.id(1, 1);
    CheckpointId late = Written.id(1, 3);
    seal(base, Ancestry.NONE, ranks);
    ContainerSummary upon = ranks.get(0).writeAside(store, late).containers().get(0);
    contents.put(late, List.of(ranks.get(0).sample().contents()));
    ranks.get(0).forget();
    seal(Written.id(1, 2), Ancestry.NONE, ranks);
    byte[] manifest = ManifestCodec.encode(Written.manifest(late, 1, Ancestry.NONE, List.of(upon)));
    FaultyStore counting = new FaultyStore(store.copy());
    Retention.amongWriters(counting).apply(Written.GROUP, 1, 1);

    List<Boolean> found = new ArrayList<>();
    for (int strikes = 0; strikes < counting.count(); strikes++) {
      MemoryStore copy = store.copy();
      boolean[] there = new boolean[1];
      FaultyStore sweeping = new FaultyStore(copy);
      sweeping.before(
          strikes,
          () -> {
            copy.files.put(StoreNames.file(late, StoreNames.MANIFEST), manifest);
            there[0] = copy.files.containsKey(StoreNames.file(base, StoreNames.MANIFEST));
          });
      Retention.amongWriters(sweeping).apply(Written.GROUP, 1, 1);
      if (there[0]) {
        assertReadable(copy, "strikes " + strikes);
        assertThat(Inventory.list(copy, Written.GROUP).checkpoints())
            .as("strikes %d", strikes)
            .containsKey(late);
      }
      found.add(there[0]);
    }

    assertThat(found).as("in time, and too late").contains(true, false);
  }

  /** A deletion by another process than the one that trains. */
  private interface Sweep {
    void run(CheckpointStore in) throws IOException;
  }

  @Test
  void amongWritersADeletionSeesTheCheckpointThatReplacesOneMeanwhile() throws IOException {
    assertLateCheckpointsKeepTheirHolders(
        in -> {
          var unused = Retention.amongWriters(in).apply(Written.GROUP, 1, 1);
        });
  }

  @Test
  void amongWritersADropSeesTheCheckpointThatReplacesOneMeanwhile() throws IOException {
    assertLateCheckpointsKeepTheirHolders(in -> Retention.amongWriters(in).drop(Written.id(1, 1)));
  }

  /** The training seals a checkpoint at any moment of the sweep, and withdraws its base. */
  private void assertLateCheckpointsKeepTheirHolders(Sweep sweep) throws IOException {
    List<LayeredRank> ranks = ranks(1, 8, unchanging);
    seal(Written.id(1, 1), Ancestry.NONE, ranks);
    seal(Written.id(1, 2), Ancestry.NONE, ranks);
    MemoryStore before = store.copy();
    CheckpointId late = Written.id(1, 3);
    seal(late, Ancestry.NONE, ranks);
    FaultyStore counting = new FaultyStore(before.copy());
    sweep.run(counting);

    for (int strikes = 0; strikes < counting.count(); strikes++) {
      MemoryStore copy = before.copy();
      FaultyStore sweeping = new FaultyStore(copy);
      sweeping.before(strikes, () -> sealLate(copy, late));
      sweep.run(sweeping);
      assertThat(Inventory.list(copy, Written.GROUP).checkpoints())
          .as("strikes %d", strikes)
          .containsKey(late);
      assertReadable(copy, "strikes " + strikes);
    }
  }

  /** The base leans on the same container, so that the training finds it. */
  private void sealLate(MemoryStore in, CheckpointId late) {
    assertThat(in.files).containsKey(StoreNames.file(Written.id(1, 1), FIRST));
    String directory = StoreNames.checkpoint(late);
    store.files.forEach(
        (path, bytes) -> {
          if (path.startsWith(directory)) {
            in.files.put(path, bytes);
          }
        });
    in.files.remove(StoreNames.file(Written.id(1, 2), StoreNames.MANIFEST));
  }
}
