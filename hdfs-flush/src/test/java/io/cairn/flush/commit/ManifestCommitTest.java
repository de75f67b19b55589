package io.cairn.flush.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.flush.commit.FaultyStore.Fault;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.StoreNames;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestCommitTest {
  /** More than an attempt's operations: create, write, sync, publish, open, delete, open. */
  private static final int OPERATIONS = 8;

  private static final CheckpointId ID = Written.id(3, 42);
  private static final String FINAL = StoreNames.file(ID, StoreNames.MANIFEST);

  private MemoryStore store = new MemoryStore("m");
  private List<ContainerSummary> containers = List.of();

  @BeforeEach
  void writeContainers() throws IOException {
    containers = List.of(Written.container(store, ID, 0, 2), Written.container(store, ID, 1, 2));
  }

  private CheckpointManifest manifest() {
    return Written.manifest(ID, 2, Ancestry.NONE, containers);
  }

  @Test
  void publishesUnderTheFinalNameAndLeavesNothingElse() {
    CheckpointManifest manifest = manifest();
    Set<String> before = new HashSet<>(store.files.keySet());
    CommitOutcome outcome = new ManifestCommit(store).commit(manifest, StoreNames.MANIFEST);
    assertThat(outcome).isEqualTo(new CommitOutcome.Committed());
    assertThat(store.content(FINAL)).isEqualTo(ManifestCodec.encode(manifest));
    before.add(FINAL);
    assertThat(store.files.keySet()).isEqualTo(before);
  }

  @Test
  void partsOfSeveralRanksStandBesideEachOther() throws IOException {
    for (int rank = 0; rank < 2; rank++) {
      CheckpointManifest part =
          Written.manifest(ID, 2, Ancestry.NONE, List.of(containers.get(rank)));
      assertThat(new ManifestCommit(store).commit(part, StoreNames.manifestPart(rank)))
          .isEqualTo(new CommitOutcome.Committed());
    }
    assertThat(Inventory.find(store, ID, 0))
        .hasValueSatisfying(stored -> assertThat(stored.coversGroup()).isTrue());
  }

  @Test
  void aManifestThatIsAlreadyThereStays() {
    CheckpointManifest first = manifest();
    new ManifestCommit(store).commit(first, StoreNames.MANIFEST);
    Set<String> before = new HashSet<>(store.files.keySet());
    CommitOutcome outcome = new ManifestCommit(store).commit(manifest(), StoreNames.MANIFEST);
    assertThat(outcome).isInstanceOf(CommitOutcome.Failed.class);
    assertThat(store.content(FINAL)).isEqualTo(ManifestCodec.encode(first));
    assertThat(store.files.keySet()).isEqualTo(before);
  }

  /** The attempt before may have ended without knowing that it published. */
  @Test
  void aManifestThatAnEarlierAttemptPublishedIsCommitted() {
    CheckpointManifest manifest = manifest();
    new ManifestCommit(store).commit(manifest, StoreNames.MANIFEST);
    Set<String> before = new HashSet<>(store.files.keySet());

    assertThat(new ManifestCommit(store).commit(manifest, StoreNames.MANIFEST))
        .isEqualTo(new CommitOutcome.Committed());

    assertThat(store.files.keySet()).isEqualTo(before);
  }

  @Test
  void onlyNamesOfManifestsAreFinalNames() {
    assertThatThrownBy(() -> new ManifestCommit(store).commit(manifest(), "MANIFEST-0"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'MANIFEST-0'");
  }

  /**
   * Every pair of faults at every pair of operations; late ones take effect at every later point.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theOutcomeIsTrueWhateverGoesWrong(boolean anotherIsThere) {
    MemoryStore start = store;
    if (anotherIsThere) {
      new ManifestCommit(start).commit(manifest(), StoreNames.MANIFEST);
    }
    Set<Class<?>> seen = new HashSet<>();
    for (int first = 0; first < OPERATIONS; first++) {
      for (int second = first; second < OPERATIONS; second++) {
        for (Fault one : Fault.values()) {
          for (Fault two : Fault.values()) {
            for (int late = first + 1; late <= OPERATIONS; late++) {
              store = start.copy();
              FaultyStore faulty = new FaultyStore(store).fault(first, one).fault(second, two);
              faulty.before(late, faulty::applyLate);
              seen.add(
                  tryOnce(faulty, first + " " + one + ", " + second + " " + two + ", " + late));
            }
          }
        }
      }
    }
    assertThat(seen).contains(CommitOutcome.Failed.class, CommitOutcome.Unknown.class);
    assertThat(seen.contains(CommitOutcome.Committed.class)).isNotEqualTo(anotherIsThere);
  }

  private Class<?> tryOnce(FaultyStore faulty, String script) {
    byte[] before = store.content(FINAL);
    CheckpointManifest manifest = manifest();
    CommitOutcome outcome = new ManifestCommit(faulty).commit(manifest, StoreNames.MANIFEST);
    faulty.applyLate();
    byte[] after = store.content(FINAL);
    byte[] ours = ManifestCodec.encode(manifest);
    if (outcome instanceof CommitOutcome.Committed) {
      assertThat(after).as(script).isEqualTo(ours);
    } else if (outcome instanceof CommitOutcome.Failed) {
      assertThat(after).as(script).isEqualTo(before);
    } else {
      assertThat(after).as(script).isIn(before, ours);
    }
    if (before.length > 0) {
      assertThat(after).as(script).isEqualTo(before);
    }
    assertThat(containers)
        .as(script)
        .allSatisfy(c -> assertThat(store.files).containsKey(StoreNames.file(ID, c.file())));
    return outcome.getClass();
  }

  /** A process that dies during a commit leaves a whole manifest or none. */
  @Test
  void aCommitThatDiesAnywhereLeavesAllOrNothing() throws IOException {
    MemoryStore start = store;
    for (int dies = 0; dies < OPERATIONS; dies++) {
      store = start.copy();
      FaultyStore faulty = new FaultyStore(store).dieAt(dies);
      CommitOutcome outcome = new ManifestCommit(faulty).commit(manifest(), StoreNames.MANIFEST);
      Inventory.Listing listing = Inventory.list(store, Written.GROUP);
      assertThat(listing.problems()).as("died at %d", dies).isEmpty();
      assertThat(listing.checkpoints().size() + listing.unfinished().size())
          .as("died at %d", dies)
          .isEqualTo(1);
      if (outcome instanceof CommitOutcome.Committed) {
        assertThat(listing.checkpoints()).containsKey(ID);
      }
    }
  }
}
