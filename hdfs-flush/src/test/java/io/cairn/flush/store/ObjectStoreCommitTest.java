package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.ManifestCommit;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.StoreNames;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Outcomes of a commit whose manifest is a conditional put. */
class ObjectStoreCommitTest {
  private static final CheckpointId ID = Written.id(3, 42);

  @TempDir Path directory;

  private CheckpointStore store;

  @BeforeEach
  void open() throws IOException {
    URI uri = URI.create("objects://" + directory + "/store");
    store = HadoopStore.open(uri, ObjectFileSystem.configuration());
  }

  @AfterEach
  void close() throws IOException {
    ObjectFileSystem.heal();
    store.close();
  }

  private CommitOutcome commit() throws IOException {
    return new ManifestCommit(store)
        .commit(
            Written.manifest(ID, 1, Ancestry.NONE, List.of(Written.container(store, ID, 0, 1))),
            StoreNames.MANIFEST);
  }

  private boolean isCommitted() throws IOException {
    return Inventory.find(store, ID, 0).isPresent();
  }

  @Test
  void aPutThatSucceedsIsCommitted() throws IOException {
    assertThat(commit()).isEqualTo(new CommitOutcome.Committed());
    assertThat(isCommitted()).isTrue();
  }

  @Test
  void aPutWhoseReplyIsLostIsCommitted() throws IOException {
    ObjectFileSystem.loseReplies(StoreNames.MANIFEST);

    assertThat(commit()).isEqualTo(new CommitOutcome.Committed());
    assertThat(isCommitted()).isTrue();
  }

  /** A later rename would find no temporary file. A later put needs none. */
  @Test
  void aPutThatMayStillTakeEffectIsUnknown() throws IOException {
    ObjectFileSystem.delay(StoreNames.MANIFEST);

    CommitOutcome outcome = commit();

    assertThat(outcome).isInstanceOf(CommitOutcome.Unknown.class);
    assertThat(isCommitted()).isFalse();
    ObjectFileSystem.deliver();
    assertThat(isCommitted()).isTrue();
  }
}
