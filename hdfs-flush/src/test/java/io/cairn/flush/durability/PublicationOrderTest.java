package io.cairn.flush.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.core.model.Ancestry;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.commit.Written;
import io.cairn.flush.durability.FileCall.Kind;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.restore.StoreTransfer;
import io.cairn.flush.restore.StoreTransfer.State;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.EmbeddedHdfs;
import io.cairn.flush.store.HadoopStore;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The stores ask for durability in an order that each publication survives by: births, epochs,
 * containers, manifests and marks.
 */
class PublicationOrderTest {
  private static final CheckpointId ID = Written.id(1, 42);

  @TempDir Path directory;

  /** A birth, an epoch, two checkpoints of two ranks, and a mark; each call reports. */
  private static void publishEverything(CheckpointStore store, FileCalls calls) throws IOException {
    calls.addReport("open");
    new EpochFiles(store).take(Written.GROUP, 0, "test");
    calls.addReport("epoch");
    Written.sealed(store, ID, 2, Ancestry.NONE);
    calls.addReport("checkpoint");
    new GroupMemory(store).markSealed(ID);
    calls.addReport("mark");
    Written.sealed(store, Written.id(1, 43), 2, Ancestry.NONE);
    calls.addReport("next checkpoint");
    store.close();
  }

  private static List<String> namesGiven(FileCalls calls) {
    return calls.all().stream()
        .filter(call -> call.kind() == Kind.NAME)
        .map(call -> call.path().substring(call.path().lastIndexOf('/') + 1))
        .toList();
  }

  @Test
  void aLocalStoreForcesEachFileAndDirectoryInTime() throws IOException {
    RecordingDisk disk = new RecordingDisk();

    CheckpointStore store =
        LocalStore.open(disk.path(directory.resolve("store")), Durability.MEDIA);
    publishEverything(store, disk.calls());

    assertThat(namesGiven(disk.calls())).contains("birth", "MANIFEST");
    assertThat(DurabilityRules.brokenOnDisk(disk.calls().all())).isEmpty();
  }

  /** Its publisher died between the new name and the force of the directory. */
  @Test
  void aCopyThatIsThereAlreadyIsDurableBeforeItIsReported() throws IOException {
    CheckpointStore from = LocalStore.open(directory.resolve("from"), Durability.MEDIA);
    new EpochFiles(from).take(Written.GROUP, 0, "test");
    Written.sealed(from, ID, 1, Ancestry.NONE);
    RecordingDisk disk = new RecordingDisk();
    Path root = disk.path(directory.resolve("to"));
    CheckpointStore to = LocalStore.open(root, Durability.MEDIA);
    assertThat(transfer(from, to)).isEqualTo(State.COPIED);
    Path manifest = root.resolve(StoreNames.file(ID, StoreNames.MANIFEST));
    Path aside = manifest.resolveSibling("aside");
    Files.move(manifest, aside);
    Files.move(aside, manifest);

    assertThat(transfer(from, to)).isEqualTo(State.PRESENT);
    disk.calls().addReport("copied again");

    assertThat(DurabilityRules.brokenOnDisk(disk.calls().all()))
        .noneMatch(broken -> broken.contains("before REPORT"));
  }

  private static State transfer(CheckpointStore from, CheckpointStore to) throws IOException {
    StoreTransfer.Plan plan = StoreTransfer.plan(from, Written.GROUP, Optional.empty());
    return new StoreTransfer(from, to, bytes -> {}).run(plan).get(0).state();
  }

  @Test
  void aLocalStoreThatOutlivesProcessesOnlyBreaksTheRules() throws IOException {
    RecordingDisk disk = new RecordingDisk();

    CheckpointStore store =
        LocalStore.open(disk.path(directory.resolve("store")), Durability.PROCESS);
    publishEverything(store, disk.calls());

    assertThat(DurabilityRules.brokenOnDisk(disk.calls().all()))
        .anyMatch(broken -> broken.contains("before REPORT checkpoint"))
        .anyMatch(broken -> broken.contains("MANIFEST"));
  }

  @Test
  void hdfsSyncsEachFileBeforeItIsClosedAndRenamed() throws IOException {
    Configuration conf = EmbeddedHdfs.impatientClient();
    FileCalls calls = RecordingHdfs.recordWith(conf);

    CheckpointStore store = HadoopStore.open(EmbeddedHdfs.freshRoot(), conf);
    publishEverything(store, calls);

    assertThat(namesGiven(calls)).contains("birth", "MANIFEST");
    assertThat(DurabilityRules.brokenOnServer(calls.all())).isEmpty();
  }
}
