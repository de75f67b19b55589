package io.cairn.flush.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import io.cairn.core.model.Ancestry;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.Unreadable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class InventoryTest {
  private final MemoryStore store = new MemoryStore("m");

  private Inventory.Listing list() throws IOException {
    return Inventory.list(store, Written.GROUP);
  }

  @Test
  void listsWhatHasAManifestAndWhatHasNone() throws IOException {
    Written.sealed(store, Written.id(1, 20), 2, Ancestry.NONE);
    Written.sealed(store, Written.id(1, 10), 2, Ancestry.NONE);
    Written.container(store, Written.id(1, 30), 0, 2);
    store.files.put("job/group/epochs/000001", new byte[0]);
    store.files.put("job/group/notes/readme", new byte[0]);
    Inventory.Listing listing = list();
    assertThat(listing.checkpoints().keySet())
        .containsExactly(Written.id(1, 10), Written.id(1, 20));
    assertThat(listing.unfinished()).containsExactly(Written.id(1, 30));
    assertThat(listing.problems()).isEmpty();
    assertThat(listing.everything()).hasSize(3);
    StoredCheckpoint stored = Inventory.find(store, Written.id(1, 10), 0).orElseThrow();
    assertThat(stored.coversGroup()).isTrue();
    assertThat(stored.digest())
        .isEqualTo(Digest.of(store.content(StoreNames.file(stored.id(), StoreNames.MANIFEST))));
    assertThat(stored.bytes())
        .isEqualTo(stored.parts().get(0).containers().stream().mapToLong(c -> c.bytes()).sum());
    assertThat(Inventory.find(store, Written.id(1, 30), 0)).isEmpty();
  }

  @Test
  void partsCountTogetherAndHaveTheirOwnDigests() throws IOException {
    CheckpointId id = Written.id(2, 5);
    Written.part(store, id, 1, 2, Ancestry.NONE);
    assertThat(list().checkpoints().get(id))
        .satisfies(
            stored -> {
              assertThat(stored.coversGroup()).isFalse();
              assertThat(stored.containersOf(0)).isEmpty();
              assertThat(stored.containersOf(1)).hasSize(1);
            });
    Written.part(store, id, 0, 2, Ancestry.NONE);
    StoredCheckpoint stored = Inventory.find(store, id, 0).orElseThrow();
    assertThat(stored.coversGroup()).isTrue();
    assertThat(stored.digestFor(1))
        .isEqualTo(Digest.of(store.content(StoreNames.file(id, StoreNames.manifestPart(1)))))
        .isNotEqualTo(stored.digest());
  }

  @Test
  void partsThatContradictEachOtherDoNotCountTogether() throws IOException {
    CheckpointId id = Written.id(2, 5);
    Written.part(store, id, 0, 2, Ancestry.NONE);
    Written.part(store, id, 1, 3, Ancestry.NONE);
    Inventory.Listing listing = list();
    assertThat(listing.checkpoints().get(id))
        .satisfies(stored -> assertThat(stored.coversGroup()).isFalse());
    assertThat(listing.problems())
        .singleElement()
        .satisfies(p -> assertThat(p.reason()).contains("differs from another part in size"));
  }

  @Test
  void partsOfDifferentLinesDoNotCountTogether() throws IOException {
    CheckpointId id = Written.id(2, 5);
    Written.part(store, id, 0, 2, Ancestry.NONE);
    Written.part(store, id, 1, 2, Ancestry.NONE.continuedFrom(Written.id(1, 3)));

    assertThat(list().problems())
        .singleElement()
        .satisfies(p -> assertThat(p.reason()).contains("differs from another part"));
  }

  @Test
  void aTruncatedContainerIsAProblem() throws IOException {
    CheckpointId id = Written.id(1, 1);
    Written.sealed(store, id, 1, Ancestry.NONE);
    store.files.put(StoreNames.file(id, StoreNames.container(0)), new byte[7]);

    assertThat(list().problems())
        .singleElement()
        .satisfies(p -> assertThat(p.reason()).contains("writer-r00000.chunks").endsWith("has 7"));
  }

  @Test
  void aCheckpointThatAppearsDuringAListingIsListed() throws IOException {
    Written.sealed(store, Written.id(1, 10), 1, Ancestry.NONE);
    MemoryStore later = new MemoryStore("later");
    Written.sealed(later, Written.id(1, 20), 1, Ancestry.NONE);
    FaultyStore changing = new FaultyStore(store).before(2, () -> store.files.putAll(later.files));

    assertThat(Inventory.list(changing, Written.GROUP).checkpoints().keySet())
        .containsExactly(Written.id(1, 10), Written.id(1, 20));
  }

  @Test
  void aDamagedManifestIsAProblemWithPathAndReason() throws IOException {
    Written.sealed(store, Written.id(1, 1), 1, Ancestry.NONE);
    Written.sealed(store, Written.id(1, 2), 1, Ancestry.NONE);
    Written.sealed(store, Written.id(1, 3), 1, Ancestry.NONE);
    store.flip(StoreNames.file(Written.id(1, 1), StoreNames.MANIFEST), 800);
    store.files.remove(StoreNames.file(Written.id(1, 2), StoreNames.container(0)));
    store.files.put(
        StoreNames.file(Written.id(1, 4), StoreNames.MANIFEST),
        store.content(StoreNames.file(Written.id(1, 3), StoreNames.MANIFEST)));
    Inventory.Listing listing = list();
    assertThat(listing.checkpoints().keySet()).containsExactly(Written.id(1, 3));
    assertThat(listing.problems())
        .extracting(Inventory.Problem::path)
        .containsExactly(
            "job/group/e000001-i0000000001/MANIFEST",
            "job/group/e000001-i0000000002/MANIFEST",
            "job/group/e000001-i0000000004/MANIFEST");
    assertThat(listing.problems().get(0).reason()).contains("offset").contains("damaged");
    assertThat(listing.problems().get(1).reason())
        .contains("writer-r00000.chunks")
        .contains("does not exist");
    assertThat(listing.problems().get(2).reason())
        .contains("is the manifest of job/group e1-i3, not of job/group e1-i4");
  }

  @Test
  void namesJobsAndGroups() throws IOException {
    assertThat(Inventory.jobs(store)).isEmpty();
    Written.sealed(store, Written.id(1, 1), 1, Ancestry.NONE);
    new EpochFiles(store).take(new GroupId("job", "another"), 0, "me");
    new EpochFiles(store).take(new GroupId("a-job", "x"), 0, "me");
    store.files.put(".probe/x", new byte[0]);
    assertThat(Inventory.jobs(store)).containsExactly("a-job", "job");
    assertThat(Inventory.groups(store, "job"))
        .containsExactly(new GroupId("job", "another"), Written.GROUP);
    assertThat(Inventory.groups(store, "none")).isEmpty();
  }

  /** Newer checkpoints replace the sealed ones during a listing, and are found. */
  @Test
  void findsWhatReplacedTheCheckpointsThatItWasAboutToRead() throws IOException {
    Written.sealed(store, Written.id(1, 10), 1, Ancestry.NONE);
    MemoryStore later = new MemoryStore("later");
    Written.sealed(later, Written.id(1, 20), 1, Ancestry.NONE);
    FaultyStore changing =
        new FaultyStore(store)
            .before(
                1,
                () -> {
                  store.files.putAll(later.files);
                  store.deleteDirectory(StoreNames.checkpoint(Written.id(1, 10)));
                });
    assertThat(Inventory.list(changing, Written.GROUP).checkpoints().keySet())
        .containsExactly(Written.id(1, 20));
  }

  /** One checkpoint is sealed and one deleted for every few reads, as a fast training does. */
  @Test
  void listsAGroupThatSealsWhileItIsListed() throws IOException {
    for (int iteration = 0; iteration < 30; iteration++) {
      Written.sealed(store, Written.id(1, iteration), 1, Ancestry.NONE);
    }
    AtomicInteger next = new AtomicInteger(30);
    FaultyStore changing = new FaultyStore(store);
    for (int operation = 8; operation < 10_000; operation += 8) {
      changing.before(operation, () -> replaceOldest(next.getAndIncrement()));
    }

    Inventory.Listing listing = Inventory.list(changing, Written.GROUP);

    assertThat(listing.checkpoints().lastKey().iteration()).isGreaterThanOrEqualTo(30);
    assertThat(listing.problems()).isEmpty();
  }

  private void replaceOldest(int iteration) {
    try {
      Written.sealed(store, Written.id(1, iteration), 1, Ancestry.NONE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    store.deleteDirectory(StoreNames.checkpoint(Written.id(1, iteration - 30)));
  }

  @Test
  void anUnreadableManifestIsAPassingProblemAndHidesNoOther() throws IOException {
    Written.sealed(store, Written.id(1, 10), 1, Ancestry.NONE);
    Written.sealed(store, Written.id(1, 20), 1, Ancestry.NONE);
    String lost = StoreNames.file(Written.id(1, 10), StoreNames.MANIFEST);

    Inventory.Listing listing = Inventory.list(Unreadable.file(store, lost), Written.GROUP);

    assertThat(listing.checkpoints().keySet()).containsExactly(Written.id(1, 20));
    assertThat(listing.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.id()).isEqualTo(Written.id(1, 10));
              assertThat(problem.passing()).isTrue();
              assertThat(problem.reason()).contains("could not obtain block");
            });
  }

  @Test
  void aStoreThatIsGoneIsNoProblemOfOneCheckpoint() throws IOException {
    Written.sealed(store, Written.id(1, 10), 1, Ancestry.NONE);
    FaultyStore gone = new FaultyStore(store).dieAt(1);

    assertThatThrownBy(() -> Inventory.list(gone, Written.GROUP)).isInstanceOf(IOException.class);
  }

  @Test
  void theNewestSealWhoseManifestIsGoneIsNamed() throws IOException {
    GroupMemory memory = new GroupMemory(store);
    for (int iteration : new int[] {10, 20}) {
      Written.sealed(store, Written.id(1, iteration), 1, Ancestry.NONE);
      memory.markSealed(Written.id(1, iteration));
    }
    assertThat(memory.newestSealed(Written.GROUP)).hasValue(Written.id(1, 20));
    assertThat(list().lost()).isEmpty();

    store.files.remove(StoreNames.file(Written.id(1, 20), StoreNames.MANIFEST));

    assertThat(list().lost()).hasValue(Written.id(1, 20));
    assertThat(list().checkpoints()).containsOnlyKeys(Written.id(1, 10));
    memory.forgetSeals(Written.GROUP);
    assertThat(list().lost()).isEmpty();
  }

  @Test
  void aSealThatANewerCheckpointReplacedIsNotLost() throws IOException {
    new GroupMemory(store).markSealed(Written.id(1, 20));

    Written.sealed(store, Written.id(2, 10), 1, Ancestry.NONE);

    assertThat(list().lost()).isEmpty();
  }

  @Test
  void aSealThatAppearsWhileTheGroupIsListedIsNotLost() throws IOException {
    for (int number = 0; number < 12; number++) {
      store.files.clear();
      Written.sealed(store, Written.id(1, 10), 1, Ancestry.NONE);
      FaultyStore racing = new FaultyStore(store).before(number, () -> sealNext(20));

      Inventory.Listing listing = Inventory.list(racing, Written.GROUP);

      assertThat(listing.lost()).as("before operation %d", number).isEmpty();
    }
  }

  private void sealNext(int iteration) {
    try {
      Written.sealed(store, Written.id(1, iteration), 1, Ancestry.NONE);
      new GroupMemory(store).markSealed(Written.id(1, iteration));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aDamagedPartIsTheReasonForItsRankAlone() throws IOException {
    CheckpointId id = Written.id(2, 5);
    Written.part(store, id, 0, 2, Ancestry.NONE);
    Written.part(store, id, 1, 2, Ancestry.NONE);
    store.files.put(StoreNames.file(id, StoreNames.manifestPart(1)), new byte[] {1, 2, 3});

    assertThat(Inventory.find(store, id, 0)).isPresent();
    assertThatThrownBy(() -> Inventory.find(store, id, 1))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(StoreNames.manifestPart(1));
  }

  @Test
  void aPartThatCannotBeReadNowIsTheReasonForItsRankAlone() throws IOException {
    CheckpointId id = Written.id(2, 5);
    Written.part(store, id, 0, 2, Ancestry.NONE);
    Written.part(store, id, 1, 2, Ancestry.NONE);
    String lost = StoreNames.file(id, StoreNames.manifestPart(1));

    assertThat(Inventory.find(Unreadable.file(store, lost), id, 0)).isPresent();
    assertThatThrownBy(() -> Inventory.find(Unreadable.file(store, lost), id, 1))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(FormatException.class)
        .hasMessageContaining("could not obtain block");
  }
}
