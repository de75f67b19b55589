package io.cairn.flush.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.LayeredRank;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.Unreadable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Copies that were set aside, beside those that count. */
class QuarantineTest {
  private static final CheckpointId FIRST = Written.id(1, 1);
  private static final CheckpointId SECOND = Written.id(1, 2);
  private static final String REPLACEMENT = StoreNames.container(0, "repaired");

  private final MemoryStore node = new MemoryStore("node");
  private final Quarantine quarantine = new Quarantine(node);

  private boolean exists(CheckpointId id, String name) {
    return node.files.containsKey(StoreNames.file(id, name));
  }

  private void commit(CheckpointId id, List<ContainerSummary> containers) {
    commit(id, 1, 0, containers);
  }

  private void commit(CheckpointId id, int size, int rank, List<ContainerSummary> containers) {
    var manifest = Written.manifest(id, size, Ancestry.NONE, containers);
    assertThat(new ManifestCommit(node).commit(manifest, StoreNames.manifestPart(rank)))
        .isInstanceOf(CommitOutcome.Committed.class);
  }

  /** As a repair does it. */
  private void replace(CheckpointId id) throws IOException {
    String name = exists(id, REPLACEMENT) ? StoreNames.container(0, "again") : REPLACEMENT;
    ContainerSummary good =
        new ContainerWriter(64).write(node, id, 1, List.of(Written.sample(id, 0).chunks()), name);
    quarantine.add(id, 0, name);
    commit(id, List.of(good));
  }

  @Test
  void aCopyThatWasSetAsideIsNotOffered() throws IOException {
    Written.part(node, FIRST, 0, 2, Ancestry.NONE);
    Written.part(node, FIRST, 1, 2, Ancestry.NONE);

    quarantine.add(FIRST, 0, REPLACEMENT);

    assertThat(Inventory.find(node, FIRST, 0)).isEmpty();
    assertThat(Inventory.find(node, FIRST, 1).orElseThrow().ranks()).containsExactly(1);
    assertThat(exists(FIRST, StoreNames.container(0))).isFalse();
    assertThat(exists(FIRST, StoreNames.container(1))).isTrue();
    assertThat(quarantine.holds(FIRST, 0)).isTrue();
    assertThat(quarantine.holds(FIRST, 1)).isFalse();
    assertThat(quarantine.files(Written.GROUP))
        .containsExactly(
            StoreNames.file(FIRST, "quarantined.MANIFEST-r00000"),
            StoreNames.file(FIRST, "quarantined.writer-r00000.chunks"));
  }

  @Test
  void aCopyThatIsGoneIsNotSetAside() throws IOException {
    Written.part(node, FIRST, 0, 1, Ancestry.NONE);
    quarantine.add(FIRST, 0, REPLACEMENT);

    assertThatThrownBy(() -> quarantine.add(FIRST, 0, REPLACEMENT))
        .isInstanceOf(NoSuchFileException.class);

    assertThat(quarantine.files(Written.GROUP)).hasSize(2);
  }

  @Test
  void containersThatANewerCheckpointLeansOnKeepTheirNames() throws IOException {
    LayeredRank rank = new LayeredRank(0, 1, 8, new SplittableRandom(1));
    commit(FIRST, List.of(rank.write(node, FIRST)));
    rank.change(3);
    ContainerSummary leaning = rank.write(node, SECOND);
    commit(SECOND, List.of(leaning));

    quarantine.add(FIRST, 0, REPLACEMENT);

    assertThat(Inventory.find(node, FIRST, 0)).isEmpty();
    assertThat(LayeredRank.read(node, SECOND, 0, List.of(leaning)))
        .usingElementComparator(Arrays::compare)
        .isEqualTo(rank.sample().contents());
  }

  /** The newer part is whole, and its node did not answer for a moment. */
  @Test
  void containersKeepTheirNamesWhileANewerPartCannotBeRead() throws IOException {
    LayeredRank rank = new LayeredRank(0, 1, 8, new SplittableRandom(1));
    commit(FIRST, List.of(rank.write(node, FIRST)));
    rank.change(3);
    ContainerSummary leaning = rank.write(node, SECOND);
    commit(SECOND, List.of(leaning));
    String unread = StoreNames.file(SECOND, StoreNames.manifestPart(0));

    new Quarantine(Unreadable.file(node, unread)).add(FIRST, 0, REPLACEMENT);

    assertThat(Inventory.find(node, FIRST, 0)).isEmpty();
    assertThat(LayeredRank.read(node, SECOND, 0, List.of(leaning)))
        .usingElementComparator(Arrays::compare)
        .isEqualTo(rank.sample().contents());
  }

  /** No checkpoint leans on itself, or on a newer one. */
  @Test
  void aPartThatCannotBeReadProtectsOlderCheckpointsAlone() throws IOException {
    LayeredRank other = new LayeredRank(1, 2, 8, new SplittableRandom(1));
    commit(FIRST, 2, 1, List.of(other.write(node, FIRST)));
    other.change(3);
    commit(SECOND, 2, 1, List.of(other.write(node, SECOND)));
    Written.part(node, SECOND, 0, 2, Ancestry.NONE);
    String unread = StoreNames.file(SECOND, StoreNames.manifestPart(1));

    new Quarantine(Unreadable.file(node, unread)).add(SECOND, 0, REPLACEMENT);

    assertThat(exists(SECOND, StoreNames.container(0))).isFalse();
    assertThat(exists(SECOND, StoreNames.quarantined(StoreNames.container(0)))).isTrue();
  }

  @Test
  void ofEachRankOneReplacedCopyStays() throws IOException {
    Written.part(node, FIRST, 0, 1, Ancestry.NONE);
    Written.part(node, SECOND, 0, 1, Ancestry.NONE);
    replace(FIRST);
    replace(SECOND);

    quarantine.keepOnly(SECOND, 0);

    assertThat(quarantine.files(Written.GROUP))
        .hasSize(2)
        .allMatch(path -> path.startsWith(StoreNames.checkpoint(SECOND)));
    assertThat(Inventory.list(node, Written.GROUP).checkpoints()).containsOnlyKeys(FIRST, SECOND);
  }

  @Test
  void aNewerBadCopyOfACheckpointTakesThePlaceOfTheOlder() throws IOException {
    Written.part(node, FIRST, 0, 1, Ancestry.NONE);
    replace(FIRST);
    replace(FIRST);

    assertThat(quarantine.files(Written.GROUP))
        .containsExactly(
            StoreNames.file(FIRST, StoreNames.quarantined(StoreNames.manifestPart(0))),
            StoreNames.file(FIRST, StoreNames.quarantined(REPLACEMENT)));
  }

  @Test
  void aCopyThatWasNotReplacedStays() throws IOException {
    Written.part(node, FIRST, 0, 1, Ancestry.NONE);
    Written.part(node, SECOND, 0, 1, Ancestry.NONE);
    quarantine.add(FIRST, 0, REPLACEMENT);
    replace(SECOND);

    quarantine.keepOnly(SECOND, 0);

    assertThat(quarantine.holds(FIRST, 0)).isTrue();
  }

  @Test
  void theQuarantineGoesWithItsCheckpoint() throws IOException {
    Written.part(node, FIRST, 0, 1, Ancestry.NONE);
    Written.part(node, SECOND, 0, 1, Ancestry.NONE);
    replace(FIRST);

    Retention.amongWriters(node).apply(Written.GROUP, 1, 1);

    assertThat(quarantine.files(Written.GROUP)).isEmpty();
    assertThat(Inventory.list(node, Written.GROUP).everything()).containsExactly(SECOND);
  }
}
