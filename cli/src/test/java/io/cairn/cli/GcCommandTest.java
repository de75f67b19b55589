package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.GroupId;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.flush.store.CrashingMedium;
import io.cairn.flush.store.CrashingStore;
import io.cairn.flush.store.ProcessKilledException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GcCommandTest {
  private static final GroupId FOLD = new GroupId("digits", "fold-0");

  @TempDir Path directory;

  private CommandRun gc(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "gc",
                "--device",
                directory.resolve("device").toString(),
                "--node",
                directory.resolve("node").toString()));
    arguments.addAll(List.of(more));
    return CommandRun.of(arguments.toArray(String[]::new));
  }

  private Path file(String name, Duration age) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, new byte[1024]);
    FileTime written = FileTime.from(Instant.now().minus(age));
    Files.setLastModifiedTime(file, written);
    Files.setLastModifiedTime(file.getParent(), written);
    return file;
  }

  @Test
  void arenasOfTheDeadAreDeletedOnRequestAndThoseOfTheLivingNever() throws Exception {
    Path dead = file("device/arenas/dead.arena", Duration.ZERO);
    Path alive = file("device/arenas/alive.arena", Duration.ZERO);
    try (FileChannel owner = FileChannel.open(alive, StandardOpenOption.WRITE)) {
      owner.lock();

      assertThat(gc().out()).contains("dead.arena", "1.0 KiB in 1 places; --delete deletes them");
      assertThat(dead).exists();
      assertThat(gc("--delete").out()).contains("Deleted: 1.0 KiB");
      assertThat(dead).doesNotExist();
      assertThat(alive).exists();
    }
  }

  @Test
  void nodeDirectoriesThatRestAreDeletedAndOthersStay() throws Exception {
    Path old = file("node/store-a/job/file", Duration.ofDays(30));
    Path used = file("node/store-b/job/file", Duration.ofDays(1));

    CommandRun run = gc("--delete", "--json");

    assertThat(run.out()).contains("store-a").doesNotContain("store-b").contains("\"deleted\"");
    assertThat(Json.tree(run.out()).path("leftovers").path(0).path("idleSeconds").asLong())
        .isGreaterThanOrEqualTo(Duration.ofDays(30).toSeconds());
    assertThat(old).doesNotExist();
    assertThat(used).exists();
    assertThat(gc("--idle-days", "0").out()).contains("store-b");
    assertThat(gc().out()).contains("Nothing was left behind");
  }

  @Test
  void aJobIsDeletedOnceItEndedAndKeepsItsEpochs() throws Exception {
    Path root = directory.resolve("store");
    CheckpointId last;
    try (Checkpoints checkpoints = new Checkpoints(root)) {
      long epoch = checkpoints.takeEpoch(FOLD);
      checkpoints.write(FOLD, 1, epoch, 10, Ancestry.NONE);
      last = checkpoints.write(FOLD, 1, epoch, 20, Ancestry.NONE);
      checkpoints.markSealed(last);
    }
    String[] job = {"--store", root.toString(), "--job", "digits", "--delete"};

    assertThat(gc(job).err()).contains("digits/fold-0 has not ended");
    try (CheckpointStore store = CheckpointStores.open(root.toString())) {
      new GroupMemory(store).markEnd(last);
    }
    try (Checkpoints checkpoints = new Checkpoints(root)) {
      checkpoints.takeEpoch(FOLD);
    }
    assertThat(gc(job).err()).contains("begun again, in epoch 2", "--ended");
    assertThat(root.resolve("digits/fold-0").resolve(last.directory())).exists();
    assertThat(gc("--store", root.toString(), "--job", "digits", "--delete", "--ended").out())
        .contains("e000001-i0000000010", "e000001-i0000000020");
    assertThat(root.resolve("digits/fold-0/epochs/000001")).exists();
    assertThat(root.resolve("digits/fold-0").resolve(last.directory())).doesNotExist();
    try (CheckpointStore store = CheckpointStores.open(root.toString())) {
      assertThat(new GroupMemory(store).newestSealed(FOLD)).isEmpty();
    }
  }

  /** The command is killed in each of its calls in turn. */
  @Test
  void aReaderFindsNoManifestWhoseContainersWereDeleted() throws Exception {
    boolean dropped = false;
    for (int calls = 0; !dropped; calls++) {
      CrashingMedium medium = new CrashingMedium(calls);
      CheckpointStore store = new CrashingStore(medium, 0);
      CheckpointId id = new CheckpointId(FOLD, 1, 10);
      new LayeredStates(store).floats("weights", 1, 2, 3).write(id);
      CrashingStore dying = new CrashingStore(medium, calls);
      dying.killAfter(calls);
      try {
        GcCommand.drop(dying, id);
        dropped = true;
      } catch (ProcessKilledException e) {
        assertThat(e).as("after %d calls", calls).hasMessageContaining("memory:/crashing");
      }
      medium.applyLate();
      assertThat(Inventory.list(store, FOLD).problems()).as("after %d calls", calls).isEmpty();
    }
  }
}
