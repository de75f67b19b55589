package io.cairn.flush.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.core.model.Ancestry;
import io.cairn.flush.commit.FaultyStore.Fault;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.Unreadable;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RetentionTest {
  private final MemoryStore store = new MemoryStore("m");
  private final Retention retention = new Retention(store);

  private Retention.Report apply(long epoch, int keep) throws IOException {
    return retention.apply(Written.GROUP, epoch, keep);
  }

  private boolean exists(CheckpointId id) {
    return !store.list(StoreNames.checkpoint(id)).isEmpty();
  }

  @Test
  void keepsTheNewestAndDeletesTheRest() throws IOException {
    for (int i = 10; i <= 50; i += 10) {
      Written.sealed(store, Written.id(1, i), 1, Ancestry.NONE);
    }
    Retention.Report report = apply(1, 2);
    assertThat(report.kept()).containsExactly(Written.id(1, 50), Written.id(1, 40));
    assertThat(report.deleted())
        .containsExactly(Written.id(1, 10), Written.id(1, 20), Written.id(1, 30));
    assertThat(report.problems()).isEmpty();
    assertThat(Inventory.list(store, Written.GROUP).everything())
        .containsExactly(Written.id(1, 40), Written.id(1, 50));
    assertThat(apply(1, 2).deleted()).isEmpty();
  }

  @Test
  void doesNothingBeforeTheCurrentEpochIsSealedHere() throws IOException {
    Written.sealed(store, Written.id(1, 10), 1, Ancestry.NONE);
    Written.sealed(store, Written.id(1, 20), 1, Ancestry.NONE);
    Written.container(store, Written.id(1, 30), 0, 1);
    Written.container(store, Written.id(2, 30), 0, 1);
    Map<String, byte[]> before = Map.copyOf(store.files);
    assertThat(apply(2, 1).kept()).isEmpty();
    assertThat(store.files).isEqualTo(before);
  }

  /** Otherwise one forged name would fill the store. */
  @Test
  void aDirectoryOfAnEpochThatNothingExplainsHoldsNothingBack() throws IOException {
    Written.sealed(store, Written.id(1, 10), 1, Ancestry.NONE);
    Written.sealed(store, Written.id(1, 20), 1, Ancestry.NONE);
    Written.container(store, Written.id(9_999_999_999_999L, 0), 0, 1);

    assertThat(apply(1, 1).deleted()).containsExactly(Written.id(1, 10));
  }

  @Test
  void aFencedEpochDeletesNothing() throws IOException {
    EpochFiles epochs = new EpochFiles(store);
    epochs.take(Written.GROUP, 0, "first");
    Written.sealed(store, Written.id(1, 10), 1, Ancestry.NONE);
    Written.sealed(store, Written.id(1, 20), 1, Ancestry.NONE);
    epochs.take(Written.GROUP, 0, "second");
    Map<String, byte[]> before = Map.copyOf(store.files);
    assertThat(apply(1, 1).deleted()).isEmpty();
    assertThat(store.files).isEqualTo(before);
  }

  @Test
  void sweepsWhatOlderEpochsLeftAndLeavesItsOwnWorkAlone() throws IOException {
    Ancestry line = Ancestry.NONE.continuedFrom(Written.id(1, 20));
    Written.sealed(store, Written.id(1, 20), 1, Ancestry.NONE);
    Written.sealed(store, Written.id(1, 30), 1, Ancestry.NONE); // beyond where the line left
    Written.container(store, Written.id(1, 40), 0, 1);
    store.files.put(
        StoreNames.file(Written.id(1, 50), StoreNames.temporaryManifest("n")), new byte[9]);
    Written.part(store, Written.id(1, 60), 0, 2, Ancestry.NONE);
    Written.sealed(store, Written.id(2, 25), 1, line);
    Written.container(store, Written.id(2, 5), 0, 1);
    Written.part(store, Written.id(2, 6), 0, 2, line);
    Retention.Report report = apply(2, 2);
    assertThat(report.kept()).containsExactly(Written.id(2, 25), Written.id(1, 20));
    assertThat(report.deleted())
        .containsExactly(
            Written.id(1, 30), Written.id(1, 40), Written.id(1, 50), Written.id(1, 60));
    assertThat(exists(Written.id(2, 5))).isTrue();
    assertThat(exists(Written.id(2, 6))).isTrue();
  }

  @Test
  void anotherLineStaysUntilThisOneHasEnough() throws IOException {
    Written.sealed(store, Written.id(1, 20), 1, Ancestry.NONE);
    Written.sealed(store, Written.id(2, 0), 1, Ancestry.NONE);

    assertThat(apply(2, 2).deleted()).isEmpty();
    Written.sealed(store, Written.id(2, 10), 1, Ancestry.NONE);
    assertThat(apply(2, 2).deleted()).containsExactly(Written.id(1, 20));
  }

  /** An attempt without a coordinator may have written many, and nobody asked for them. */
  @Test
  void ofAnotherLineOnlyTheNewestStay() throws IOException {
    for (int i = 10; i <= 60; i += 10) {
      Written.sealed(store, Written.id(1, i), 1, Ancestry.NONE);
    }
    Written.sealed(store, Written.id(2, 0), 1, Ancestry.NONE);

    assertThat(apply(2, 3).kept()).containsExactly(Written.id(2, 0));

    assertThat(Inventory.list(store, Written.GROUP).everything())
        .containsExactly(Written.id(1, 40), Written.id(1, 50), Written.id(1, 60), Written.id(2, 0));
  }

  /** A training that began afresh by mistake may have landmarks of months. */
  @Test
  void ofAnotherLineWithLandmarksAllStayUntilThisOneHasEnough() throws IOException {
    RetentionPolicy policy = RetentionPolicy.newest(2).andEvery(10);
    for (int i = 10; i <= 60; i += 10) {
      Written.sealed(store, Written.id(1, i), 1, Ancestry.NONE);
    }
    Written.sealed(store, Written.id(2, 0), 1, Ancestry.NONE);

    assertThat(retention.apply(Written.GROUP, 2, policy).deleted()).isEmpty();
    Written.sealed(store, Written.id(2, 1), 1, Ancestry.NONE);
    assertThat(retention.apply(Written.GROUP, 2, policy).deleted()).hasSize(6);
  }

  @Test
  void aManifestThatCannotBeReadStaysUntilEnoughNewerOnesAreKept() throws IOException {
    Ancestry line = Ancestry.NONE.continuedFrom(Written.id(1, 20));
    Written.sealed(store, Written.id(1, 10), 1, Ancestry.NONE);
    Written.sealed(store, Written.id(1, 20), 1, Ancestry.NONE);
    store.flip(StoreNames.file(Written.id(1, 20), StoreNames.MANIFEST), 900);
    Written.sealed(store, Written.id(2, 25), 1, line);
    assertThat(apply(2, 2).kept()).containsExactly(Written.id(2, 25), Written.id(1, 10));
    assertThat(exists(Written.id(1, 20))).isTrue();
    Written.sealed(store, Written.id(2, 30), 1, line);
    assertThat(apply(2, 2).deleted()).containsExactly(Written.id(1, 10), Written.id(1, 20));
  }

  @Test
  void wherePartsAreOutOfSightTheCallerSaysWhatIsSealed() throws IOException {
    for (int i = 10; i <= 30; i += 10) {
      Written.part(store, Written.id(1, i), 0, 2, Ancestry.NONE);
    }
    assertThat(apply(1, 1).kept()).isEmpty();
    Retention.Report report =
        retention.apply(Written.GROUP, 1, 1, stored -> stored.id().iteration() < 30, Set.of());
    assertThat(report.kept()).containsExactly(Written.id(1, 20));
    assertThat(report.deleted()).containsExactly(Written.id(1, 10));
    assertThat(exists(Written.id(1, 30))).as("not sealed yet").isTrue();
  }

  @Test
  void checkpointsInUseAreKept() throws IOException {
    for (int i = 10; i <= 30; i += 10) {
      Written.sealed(store, Written.id(1, i), 1, Ancestry.NONE);
    }
    Retention.Report report =
        retention.apply(
            Written.GROUP, 1, 1, StoredCheckpoint::coversGroup, Set.of(Written.id(1, 10)));
    assertThat(report.deleted()).containsExactly(Written.id(1, 20));
    assertThat(exists(Written.id(1, 10))).isTrue();
  }

  /** Wherever it dies, no manifest is left that names a container which is gone. */
  @Test
  void manifestsGoBeforeContainers() throws IOException {
    for (int i = 1; i <= 4; i++) {
      Written.sealed(store, Written.id(1, i), 2, Ancestry.NONE);
    }
    for (int dies = 0; ; dies++) {
      MemoryStore copy = store.copy();
      FaultyStore faulty = new FaultyStore(copy).dieAt(dies);
      boolean listed = applyOn(faulty);
      Inventory.Listing listing = Inventory.list(copy, Written.GROUP);
      assertThat(listing.problems()).as("died at %d", dies).isEmpty();
      assertThat(listing.checkpoints()).containsKey(Written.id(1, 4));
      for (StoredCheckpoint stored : listing.checkpoints().values()) {
        Written.requireReadable(copy, stored);
      }
      if (listed && faulty.count() < dies) {
        assertThat(listing.everything()).containsExactly(Written.id(1, 4));
        return;
      }
    }
  }

  private static boolean applyOn(FaultyStore faulty) {
    try {
      new Retention(faulty).apply(Written.GROUP, 1, 1);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aDeleteThatFailsIsReportedAndTriedAgain() throws IOException {
    Written.sealed(store, Written.id(1, 1), 1, Ancestry.NONE);
    Written.sealed(store, Written.id(1, 2), 1, Ancestry.NONE);
    FaultyStore faulty = new FaultyStore(store);
    // group, two directories and manifests, epochs, the doomed directory
    int firstDelete = 7;
    faulty.fault(firstDelete, Fault.REFUSED);
    Retention.Report report = new Retention(faulty).apply(Written.GROUP, 1, 1);
    assertThat(report.problems())
        .singleElement()
        .asString()
        .contains("job/group e1-i1")
        .contains("memory:m")
        .contains("MANIFEST");
    assertThat(report.deleted()).isEmpty();
    assertThat(exists(Written.id(1, 1))).isTrue();
    assertThat(apply(1, 1).deleted()).containsExactly(Written.id(1, 1));
  }

  @Test
  void atLeastOneIsKept() {
    assertThatThrownBy(() -> apply(1, 0)).hasMessageContaining("keep 0 checkpoints");
  }

  @Test
  void oneUnreadableManifestStopsNothing() throws IOException {
    for (int i = 1; i <= 26; i++) {
      Written.sealed(store, Written.id(1, i), 1, Ancestry.NONE);
    }
    String lost = StoreNames.file(Written.id(1, 3), StoreNames.MANIFEST);

    Retention.Report report =
        new Retention(Unreadable.file(store, lost)).apply(Written.GROUP, 1, 2);

    assertThat(report.kept()).containsExactly(Written.id(1, 26), Written.id(1, 25));
    assertThat(report.deleted()).hasSize(23).doesNotContain(Written.id(1, 3));
  }

  /** A group whose levels below are slow gives up many. */
  @Test
  void droppingWhatWasNeverWrittenReadsNoOtherCheckpoint() throws IOException {
    for (int i = 1; i <= 26; i++) {
      Written.sealed(store, Written.id(1, i), 1, Ancestry.NONE);
    }
    FaultyStore counted = new FaultyStore(store);

    Retention.amongWriters(counted).drop(Written.id(1, 27));

    assertThat(counted.count()).isLessThanOrEqualTo(2);
    assertThat(Inventory.list(store, Written.GROUP).everything()).hasSize(26);
  }

  /** Each other checkpoint costs a listing and its manifest. */
  @Test
  void aDropReadsEachOtherCheckpointOnce() throws IOException {
    Written.sealed(store, Written.id(1, 1), 1, Ancestry.NONE);
    int alone = operationsOfDrop(Written.id(1, 1));
    for (int i = 1; i <= 11; i++) {
      Written.sealed(store, Written.id(1, i), 1, Ancestry.NONE);
    }

    assertThat(operationsOfDrop(Written.id(1, 11))).isEqualTo(alone + 10 * 2);
    assertThat(exists(Written.id(1, 10))).isTrue();
    assertThat(exists(Written.id(1, 11))).isFalse();
  }

  private int operationsOfDrop(CheckpointId id) throws IOException {
    FaultyStore counted = new FaultyStore(store);
    Retention.amongWriters(counted).drop(id);
    return counted.count();
  }
}
