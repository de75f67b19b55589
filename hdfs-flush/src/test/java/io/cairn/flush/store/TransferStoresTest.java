package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.ContainerSummary;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.ManifestCommit;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.LayeredRank;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.restore.StoreTransfer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A group that goes from a directory to an object store, to HDFS, and back to a directory. */
class TransferStoresTest {
  @TempDir Path directory;

  private List<CheckpointStore> stores() throws IOException {
    URI objects = URI.create("objects://" + directory + "/objects");
    return List.of(
        LocalStore.open(directory.resolve("first"), Durability.MEDIA),
        HadoopStore.open(objects, ObjectFileSystem.configuration()),
        HadoopStore.open(EmbeddedHdfs.freshRoot(), EmbeddedHdfs.impatientClient()),
        LocalStore.open(directory.resolve("last"), Durability.MEDIA));
  }

  @Test
  void theLastCopyIsTheFirstGroup() throws IOException {
    List<CheckpointStore> stores = stores();
    LayeredRank rank = new LayeredRank(0, 1, 3, new SplittableRandom(5));
    assertThat(new EpochFiles(stores.get(0)).take(Written.GROUP, 0, "first")).isEqualTo(1);
    List<CheckpointId> ids = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      CheckpointId id = Written.id(1, 10 + i);
      rank.change(i);
      ContainerSummary container = rank.write(stores.get(0), id);
      new ManifestCommit(stores.get(0))
          .commit(Written.manifest(id, 1, Ancestry.NONE, List.of(container)), StoreNames.MANIFEST);
      ids.add(id);
    }

    for (int i = 1; i < stores.size(); i++) {
      StoreTransfer.Plan plan =
          StoreTransfer.plan(stores.get(i - 1), Written.GROUP, Optional.empty());
      assertThat(new StoreTransfer(stores.get(i - 1), stores.get(i), bytes -> {}).run(plan))
          .hasSize(3)
          .allMatch(each -> each.state() == StoreTransfer.State.COPIED);
    }

    CheckpointStore last = stores.get(stores.size() - 1);
    Inventory.Listing listing = Inventory.list(last, Written.GROUP);
    assertThat(listing.checkpoints().keySet()).containsExactlyElementsOf(ids);
    StoredCheckpoint newest =
        Optional.ofNullable(listing.checkpoints().get(ids.get(2))).orElseThrow();
    assertThat(LayeredRank.read(last, newest.id(), 0, newest.containersOf(0)))
        .usingElementComparator(Arrays::compare)
        .isEqualTo(rank.sample().contents());
    assertThat(GroupBirth.find(last, Written.GROUP))
        .isEqualTo(GroupBirth.find(stores.get(0), Written.GROUP));
    assertThat(new EpochFiles(last).take(Written.GROUP, 0, "resumed")).isEqualTo(2);
    for (CheckpointStore each : stores) {
      each.close();
    }
  }
}
