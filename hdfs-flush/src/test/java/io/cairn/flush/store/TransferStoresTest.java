package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A group that goes from a directory to an object store, to HDFS, and back to a directory. */
class TransferStoresTest {
  @TempDir Path directory;

  /** A store that fails once, when a container is opened, or read. */
  private static final class FailingOnce extends CountingStore {
    private final boolean read;
    private boolean failed;

    FailingOnce(CheckpointStore below, boolean read) {
      super(below);
      this.read = read;
    }

    @Override
    public StoreInput open(String path) throws IOException {
      StoreInput input = super.open(path);
      if (failed || !path.endsWith(".chunks")) {
        return input;
      }
      failed = true;
      input.close();
      if (read) {
        return input; // which is closed
      }
      throw new IOException("no answer: " + path);
    }
  }

  private List<CheckpointStore> stores() throws IOException {
    URI objects = URI.create("objects://" + directory + "/objects");
    return List.of(
        LocalStore.open(directory.resolve("first"), Durability.MEDIA),
        HadoopStore.open(objects, ObjectFileSystem.configuration()),
        HadoopStore.open(EmbeddedHdfs.freshRoot(), EmbeddedHdfs.impatientClient()),
        LocalStore.open(directory.resolve("last"), Durability.MEDIA));
  }

  /** Three checkpoints, the later ones leaning on the earlier. */
  private static List<CheckpointId> write(LayeredRank rank, CheckpointStore store)
      throws IOException {
    assertThat(new EpochFiles(store).take(Written.GROUP, 0, "first")).isEqualTo(1);
    List<CheckpointId> ids = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      CheckpointId id = Written.id(1, 10 + i);
      rank.change(i);
      ContainerSummary container = rank.write(store, id);
      new ManifestCommit(store)
          .commit(Written.manifest(id, 1, Ancestry.NONE, List.of(container)), StoreNames.MANIFEST);
      ids.add(id);
    }
    return ids;
  }

  private static List<StoreTransfer.Result> transfer(CheckpointStore from, CheckpointStore to)
      throws IOException {
    StoreTransfer.Plan plan = StoreTransfer.plan(from, Written.GROUP, Optional.empty());
    return new StoreTransfer(from, to, bytes -> {}).run(plan);
  }

  @Test
  void theLastCopyIsTheFirstGroup() throws IOException {
    List<CheckpointStore> stores = stores();
    LayeredRank rank = new LayeredRank(0, 1, 3, new SplittableRandom(5));
    List<CheckpointId> ids = write(rank, stores.get(0));

    for (int i = 1; i < stores.size(); i++) {
      assertThat(transfer(stores.get(i - 1), stores.get(i)))
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

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSourceThatDidNotAnswerIsCopiedAgain(boolean read) throws IOException {
    List<CheckpointStore> stores = stores();
    write(new LayeredRank(0, 1, 3, new SplittableRandom(6)), stores.get(0));
    for (CheckpointStore to : stores.subList(1, stores.size())) {
      CheckpointStore from = new FailingOnce(stores.get(0), read);
      assertThatIOException().isThrownBy(() -> transfer(from, to));

      assertThat(transfer(from, to))
          .hasSize(3)
          .allMatch(each -> each.state() == StoreTransfer.State.COPIED);
    }
    for (CheckpointStore each : stores) {
      each.close();
    }
  }

  @Test
  void anObjectThatIsThereIsNotSentAgain() throws IOException {
    List<CheckpointStore> stores = stores();
    List<CheckpointId> ids =
        write(new LayeredRank(0, 1, 3, new SplittableRandom(7)), stores.get(0));
    CheckpointStore to = stores.get(1);
    transfer(stores.get(0), to);
    for (CheckpointId id : ids) {
      assertThat(to.delete(StoreNames.file(id, StoreNames.MANIFEST))).isTrue(); // never published
    }
    CountingStore from = new CountingStore(stores.get(0));

    assertThat(transfer(from, to))
        .hasSize(3)
        .allMatch(each -> each.state() == StoreTransfer.State.COPIED);

    assertThat(from.containerBytesRead()).isZero();
    for (CheckpointStore each : stores) {
      each.close();
    }
  }
}
