package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.core.model.Ancestry;
import io.cairn.engine.config.PeerSettings;
import io.cairn.engine.promotion.NodeGroups;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The checkpoints that NODE keeps, since their copies on other machines are one of two. */
class PeerWriterTest {
  private final MemoryStore node = new MemoryStore("node");
  private final MemoryStore store = new MemoryStore("store");
  private final NodeGroups groups = new NodeGroups(node, store);
  private final PeerWriter writer =
      new PeerWriter(Level.PEER, node, groups, new Partners(PeerSettings.NONE, () -> 0), 2);
  private CheckpointStore atNode = node;

  @BeforeEach
  void publish() throws IOException {
    GroupBirth.of(store, Written.GROUP);
    atNode = groups.of(Written.GROUP);
    for (int iteration : List.of(10, 20, 30, 40)) {
      Written.part(atNode, Written.id(1, iteration), 0, 2, Ancestry.NONE);
    }
  }

  private void mark(CheckpointId id) throws IOException {
    atNode.create(StoreNames.file(id, StoreNames.copied(0))).close();
  }

  @Test
  void nodeKeepsTheNewestThatAreSealedAtPeer() throws IOException {
    Set<CheckpointId> sealed = Set.of(Written.id(1, 10), Written.id(1, 20), Written.id(1, 30));

    assertThat(writer.leansOn(Written.GROUP, sealed::contains, Set.of()))
        .containsExactlyInAnyOrder(Written.id(1, 20), Written.id(1, 30));
  }

  /** A rank that left may have missed the seal. */
  @Test
  void nodeKeepsWhatIsMarkedAfterTheNewestKnownSeal() throws IOException {
    mark(Written.id(1, 10));
    mark(Written.id(1, 30));
    Set<CheckpointId> sealed = Set.of(Written.id(1, 20));

    assertThat(writer.leansOn(Written.GROUP, sealed::contains, Set.of()))
        .containsExactlyInAnyOrder(Written.id(1, 20), Written.id(1, 30));
  }

  @Test
  void aLaterProcessKeepsWhatAnEarlierOneMarked() throws IOException {
    mark(Written.id(1, 10));
    mark(Written.id(1, 30));

    assertThat(writer.leansOn(Written.GROUP, id -> false, Set.of()))
        .containsExactlyInAnyOrder(Written.id(1, 10), Written.id(1, 30));
  }

  /** While PEER is behind, all that waits for it is in use, and each listing takes its time. */
  @Test
  void marksOfCheckpointsInUseAreNotLookedFor() throws IOException {
    mark(Written.id(1, 10));
    mark(Written.id(1, 40));

    assertThat(writer.leansOn(Written.GROUP, id -> false, Set.of(Written.id(1, 40))))
        .containsExactly(Written.id(1, 10));
  }

  @Test
  void aCheckpointThatWasGivenUpLosesItsMark() throws IOException {
    mark(Written.id(1, 10));
    mark(Written.id(1, 30));

    writer.drop(Written.id(1, 30));

    assertThat(writer.leansOn(Written.GROUP, id -> false, Set.of()))
        .containsExactly(Written.id(1, 10));
  }
}
