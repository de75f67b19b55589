package io.cairn.flush.commit;

import static io.cairn.flush.commit.Repairable.FILE;
import static io.cairn.flush.commit.Repairable.repair;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Compression;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.flush.format.ContainerReader;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.SampleRank;
import io.cairn.flush.format.StoreNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Repairs at STORE that break off, or meet another repair or the retention. The store replaces no
 * file in one step.
 */
class StoreRepairRacesTest {
  private final MemoryStore store = new MemoryStore("store", replaces());
  private final MemoryStore node = new MemoryStore("node");

  /** Whether the store replaces files in one step. */
  boolean replaces() {
    return false;
  }

  private CheckpointManifest plain() throws IOException {
    return Repairable.plain(store, node);
  }

  /**
   * The repair ends after each of its operations, as if its process died; the next completes it.
   * The index of a container that is compressed at STORE alone lies in no other file.
   */
  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      names = {"NONE", "ZSTD"})
  void aRepairThatBreaksOffIsCompletedByTheNext(Compression here) throws IOException {
    SampleRank sample = Repairable.sample(new SplittableRandom(1));
    CheckpointManifest manifest = Repairable.write(store, sample, here, StoreNames.MANIFEST);
    Repairable.write(node, sample, Compression.NONE, StoreNames.manifestPart(0));
    byte[] good = store.content(FILE).clone();
    store.flip(FILE, 8 * 100);
    FaultyStore counting = new FaultyStore(store.copy());
    assertThat(repair(counting, node, manifest)).isTrue();

    for (int dies = 0; dies < counting.count(); dies++) {
      MemoryStore copy = store.copy();
      FaultyStore dying = new FaultyStore(copy).dieAt(dies);
      assertThatThrownBy(() -> repair(dying, node, manifest)).isInstanceOf(IOException.class);
      boolean again = repair(copy, node, manifest);
      assertThat(copy.content(FILE)).as("dies %d, %s", dies, again).isEqualTo(good);
      assertThat(copy.files.keySet()).as("dies %d", dies).noneMatch(it -> it.contains("repaired-"));
    }
  }

  @Test
  void aLostReplyLeavesAContainerUnderItsName() throws IOException {
    CheckpointManifest manifest = plain();
    byte[] good = store.content(FILE).clone();
    store.flip(FILE, 8 * 600);
    byte[] bad = store.content(FILE).clone();
    FaultyStore counting = new FaultyStore(store.copy());
    assertThat(repair(counting, node, manifest)).isTrue();

    for (FaultyStore.Fault fault :
        List.of(FaultyStore.Fault.REFUSED, FaultyStore.Fault.REPLY_LOST)) {
      for (int at = 0; at < counting.count(); at++) {
        MemoryStore copy = store.copy();
        FaultyStore faulty = new FaultyStore(copy).fault(at, fault);
        try {
          assertThat(repair(faulty, node, manifest)).isTrue();
        } catch (IOException e) {
          assertThat(e).hasMessageMatching("(?s).*(scripted|cannot be read now).*");
        }
        String script = fault + " at " + at;
        assertThat(copy.files).as(script).containsKey(FILE);
        assertThat(copy.content(FILE)).as(script).isIn(good, bad);
      }
    }
  }

  /** Two operators repair at once. */
  @Test
  void anotherRepairMeanwhileDoesNoHarm() throws IOException {
    CheckpointManifest manifest = plain();
    byte[] good = store.content(FILE).clone();
    store.flip(FILE, 8 * 600);
    FaultyStore counting = new FaultyStore(store.copy());
    assertThat(repair(counting, node, manifest)).isTrue();

    for (int strikes = 0; strikes < counting.count(); strikes++) {
      MemoryStore copy = store.copy();
      FaultyStore slow = new FaultyStore(copy);
      slow.before(
          strikes,
          () -> {
            try {
              repair(copy, node, manifest);
            } catch (IOException e) {
              assertThat(e).hasMessageContaining("writer-r00000");
            }
          });
      try {
        repair(slow, node, manifest);
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("writer-r00000");
      }
      assertThat(copy.content(FILE)).as("strikes %d", strikes).isEqualTo(good);
    }
  }

  /** The training goes on, and its retention deletes the checkpoint under repair. */
  @Test
  void retentionMeanwhileLeavesNoCheckpointWithoutItsContainer() throws IOException {
    CheckpointManifest manifest = plain();
    store.flip(FILE, 8 * 600);
    Written.sealed(store, Written.id(1, 20), 1, Ancestry.NONE);
    FaultyStore counting = new FaultyStore(store.copy());
    assertThat(repair(counting, node, manifest)).isTrue();

    for (int strikes = 0; strikes < counting.count(); strikes++) {
      MemoryStore copy = store.copy();
      FaultyStore slow = new FaultyStore(copy);
      slow.before(strikes, () -> sweep(copy));
      try {
        repair(slow, node, manifest);
      } catch (IOException e) {
        assertThat(e).hasMessageMatching("(?s).*(writer-r00000|e1-i10|index of).*");
      }
      String script = "strikes " + strikes;
      Inventory.Listing listing = Inventory.list(copy, Written.GROUP);
      assertThat(listing.problems()).as(script).isEmpty();
      for (StoredCheckpoint stored : listing.checkpoints().values()) {
        for (ContainerSummary container : stored.containersOf(0)) {
          try (ContainerReader reader = ContainerReader.open(copy, stored.id(), container)) {
            assertThat(reader.verify(0, ByteBuffer.allocate(64)).chunks()).as(script).isPositive();
          }
        }
      }
      sweep(copy);
      assertThat(Inventory.list(copy, Written.GROUP).everything())
          .as(script)
          .containsExactly(Written.id(1, 20));
    }
  }

  /** A retention withdrew it while the node sent its chunks, and deletes the rest later. */
  @Test
  void aCheckpointThatWasWithdrawnMeanwhileIsNotWrittenTo() throws IOException {
    CheckpointManifest manifest = plain();
    store.flip(FILE, 8 * 600);
    byte[] bad = store.content(FILE).clone();
    FaultyStore counting = new FaultyStore(node);
    assertThat(repair(store.copy(), counting, manifest)).isTrue();

    for (int strikes = 0; strikes < counting.count(); strikes++) {
      MemoryStore copy = store.copy();
      FaultyStore slow = new FaultyStore(node);
      slow.before(strikes, () -> copy.delete(StoreNames.file(manifest.id(), StoreNames.MANIFEST)));
      assertThatThrownBy(() -> repair(copy, slow, manifest))
          .as("strikes %d", strikes)
          .hasMessageContaining("was deleted meanwhile");
      assertThat(copy.files).as("strikes %d", strikes).containsOnlyKeys(FILE);
      assertThat(copy.content(FILE)).as("strikes %d", strikes).isEqualTo(bad);
    }
  }

  private static void sweep(MemoryStore store) {
    try {
      new Retention(store).apply(Written.GROUP, 1, 1);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
