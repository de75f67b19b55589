package io.cairn.engine.promotion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.core.model.Ancestry;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.Written;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.LateStore;
import io.cairn.testkit.CrashingStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The copies of a group of one at NODE that a newer seal replaces. */
class NodeRetentionTest {
  @TempDir Path directory;

  private final CrashingStore root = new CrashingStore(1);
  private final NodeGroups groups = new NodeGroups(root, new CrashingStore(2));
  private CheckpointStore copies;

  @BeforeEach
  void enter() throws IOException {
    groups.enter(Written.GROUP, new NodeDirectory(directory, root));
    copies = groups.of(Written.GROUP);
  }

  private void publish(CheckpointId... ids) throws IOException {
    for (CheckpointId id : ids) {
      Written.part(copies, id, 0, 1, Ancestry.NONE);
    }
  }

  /** Retains one, after the last of these was sealed. */
  private void retain(CheckpointId... sealed) throws IOException {
    NodeDirectory home = new NodeDirectory(directory, root);
    LateStore late = new LateStore("node", () -> root, () -> 0);
    NodeCleaning cleaning = new NodeCleaning(home, late, Duration.ofDays(1), Uptime.ofMachine());
    new NodeWriter(Level.NODE, home, late, groups, 64, 1, cleaning)
        .retain(sealed[sealed.length - 1], List.of(sealed)::contains, Set.of());
  }

  private Collection<CheckpointId> left() throws IOException {
    return Inventory.list(copies, Written.GROUP).everything();
  }

  @Test
  void olderSealedCheckpointsGo() throws IOException {
    publish(Written.id(1, 1), Written.id(1, 2));

    retain(Written.id(1, 1), Written.id(1, 2));

    assertThat(left()).containsExactly(Written.id(1, 2));
  }

  @Test
  void aDeleteThatFailsIsAFailure() throws IOException {
    publish(Written.id(1, 1), Written.id(1, 2));
    root.failNext(CrashingStore.Call.DELETE, CrashingStore.Fault.REFUSED);

    assertThatThrownBy(() -> retain(Written.id(1, 1), Written.id(1, 2)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("injected fault REFUSED in DELETE");
  }

  /** Its rank may not know that it was published, and drop it. */
  @Test
  void aCheckpointThatIsPublishedAndNotSealedReplacesNone() throws IOException {
    publish(Written.id(1, 33), Written.id(1, 34));

    retain(Written.id(1, 33));

    assertThat(left()).containsExactly(Written.id(1, 33), Written.id(1, 34));
  }

  @Test
  void aCheckpointOfAnEarlierEpochCountsIfItIsWhole() throws IOException {
    publish(Written.id(1, 1), Written.id(1, 2), Written.id(2, 3));

    retain(Written.id(2, 3));

    assertThat(left()).containsExactly(Written.id(2, 3));
  }
}
