package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.Ancestry;
import io.cairn.engine.promotion.Uptime;
import io.cairn.engine.promotion.UseLock;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.testkit.CrashingMedium;
import io.cairn.testkit.CrashingStore;
import io.cairn.testkit.ProcessKilledException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GcCommandTest {
  private static final GroupId FOLD = new GroupId("digits", "fold-0");

  private static final String DEAD = "00000000-0000-0000-0000-00000000000d.arena";
  private static final String ALIVE = "00000000-0000-0000-0000-00000000000a.arena";
  private static final String OLD = "11111111-89ab-cdef-0123-456789abcdef";
  private static final String USED = "22222222-89ab-cdef-0123-456789abcdef";
  private static final String BIRTH = "/job/group/01234567-89ab-cdef-0123-456789abcdef/";

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
    Path dead = file("device/arenas/" + DEAD + "", Duration.ZERO);
    Path alive = file("device/arenas/" + ALIVE + "", Duration.ZERO);
    try (FileChannel owner = FileChannel.open(alive, StandardOpenOption.WRITE)) {
      owner.lock();

      assertThat(gc().out())
          .contains(DEAD, "its process is dead", "1.0 KiB in 1 place; --delete deletes them");
      assertThat(dead).exists();
      assertThat(gc("--delete").out()).contains("Deleted: 1.0 KiB");
      assertThat(dead).doesNotExist();
      assertThat(alive).exists();
    }
  }

  @Test
  void nodeDirectoriesThatRestAreDeletedAndOthersStay() throws Exception {
    Path old = file("node/" + OLD + BIRTH + "file", Duration.ofDays(30));
    Path used = file("node/" + USED + BIRTH + "file", Duration.ofDays(1));
    assertThat(gc("--delete").out()).contains("age");
    rested(OLD, Duration.ofDays(30));
    rested(USED, Duration.ofDays(1));

    CommandRun run = gc("--delete", "--json");

    assertThat(run.out()).contains(OLD).doesNotContain(USED).contains("\"deleted\"");
    assertThat(Json.tree(run.out()).path("leftovers").path(0).path("idleSeconds").asLong())
        .isGreaterThanOrEqualTo(Duration.ofDays(30).toSeconds());
    assertThat(old).doesNotExist();
    assertThat(used).exists();
    assertThat(gc("--idle-days", "0").out()).contains(USED);
    assertThat(gc().out()).contains("Nothing was left behind");
  }

  /** Sets how long a group has rested in the record of the last look. */
  private void rested(String store, Duration time) throws IOException {
    Path record = directory.resolve("node/" + store).resolve(StoreNames.RESTED);
    String text = Files.readString(record);
    Files.writeString(
        record, text.replaceFirst("(?m)^(job/group .*) [0-9]+$", "$1 " + time.toMillis()));
  }

  /** A job crashed yesterday, and the clock went forward by a month. */
  @Test
  void theClockAloneMakesNoNodeDirectoryOld() throws Exception {
    Path copy = file("node/" + OLD + BIRTH + "file", Duration.ofDays(30));

    assertThat(gc("--delete").out()).contains(OLD + " is of unknown age", "--idle-days 0");
    assertThat(gc("--delete").out()).contains("Nothing was left behind");
    rested(OLD, Duration.ofDays(30));
    Files.createDirectory(copy.resolveSibling("written since"));
    assertThat(gc("--delete").out()).contains("Nothing was left behind");
    assertThat(copy).exists();
    assertThat(gc("--idle-days", "0").out()).contains(OLD);
  }

  /** The files of a training come and go. */
  @Test
  void aNodeDirectoryThatAProcessUsesIsNotWalked() throws Exception {
    file("node/" + OLD + "/mail/inbox/letters/text", Duration.ofDays(30));
    Path store = directory.resolve("node/" + OLD);
    try (UseLock lock = UseLock.hold(store)) {
      assertThat(gc("--delete").out()).contains(OLD + " a process uses it");
      assertThat(lock).isNotNull();
    }
  }

  /** A clock that went forward makes the copies of a training look old that runs. */
  @Test
  void aNodeDirectoryThatAProcessUsesStaysHoweverOldItLooks() throws Exception {
    Path copy = file("node/" + OLD + BIRTH + "file", Duration.ofDays(30));
    Path store = directory.resolve("node/" + OLD);
    for (Path inUse : List.of(store, store.resolve("job/group"))) {
      try (UseLock lock = UseLock.hold(inUse)) {
        assertThat(gc("--delete").out()).contains(OLD + " a process uses it");
        assertThat(lock).isNotNull();
      }
      assertThat(copy).exists();
    }
    assertThat(gc("--delete", "--idle-days", "0").out()).contains("Deleted");
    assertThat(copy).doesNotExist();
  }

  @Test
  void whatIsNoNodeDirectoryStaysAndIsNamed() throws Exception {
    Path thesis = file("node/thesis/chapter/text", Duration.ofDays(30));
    Path named = file("node/" + OLD + "/mail/inbox/letters/text", Duration.ofDays(30));
    Path linked = file("home/" + OLD + BIRTH + "file", Duration.ofDays(30));
    Files.createSymbolicLink(directory.resolve("node/" + USED), directory.resolve("home/" + OLD));

    String out = gc("--delete").out();

    assertThat(out)
        .contains("thesis has no name of a store", "letters is no directory that Cairn makes")
        .contains(USED + " is a link", "Nothing was left behind");
    assertThat(List.of(thesis, named, linked)).allMatch(Files::exists);
  }

  /** Another user makes such a link in the temporary directory, to this user's files. */
  @Test
  void aLinkInThePlaceOfADirectoryIsNotFollowed() throws Exception {
    Path copy = file("home/" + OLD + BIRTH + "file", Duration.ofDays(30));
    Path arena = file("home/arenas/" + DEAD, Duration.ofDays(30));
    Files.createSymbolicLink(directory.resolve("node"), directory.resolve("home"));
    Files.createSymbolicLink(directory.resolve("device"), directory.resolve("home"));

    assertThat(gc("--delete").out())
        .contains("node is a link", "device is a link", "Nothing was left behind");
    assertThat(List.of(copy, arena)).allMatch(Files::exists);
  }

  @Test
  void aLinkWithinANodeDirectoryKeepsAllOfIt() throws Exception {
    Path copy = file("node/" + OLD + BIRTH + "file", Duration.ofDays(30));
    Files.createSymbolicLink(copy.resolveSibling("link"), directory);

    assertThat(gc("--delete").out()).contains("link is a link", "Nothing was left behind");
    assertThat(copy).exists();
  }

  @Test
  void directoriesThatEveryUserMayWriteAreNotLookedAt() throws Exception {
    Path copy = file("node/" + OLD + BIRTH + "file", Duration.ofDays(30));
    Files.setPosixFilePermissions(
        directory.resolve("node"), PosixFilePermissions.fromString("rwxrwxrwx"));

    assertThat(gc("--delete").out()).contains("node can be written by every user");
    assertThat(copy).exists();
  }

  @Test
  void directoriesOfAnotherUserAreNotLookedAt() throws Exception {
    assumeThat(System.getProperty("user.name")).isEqualTo("root");
    Path copy = file("node/" + OLD + BIRTH + "file", Duration.ofDays(30));
    Files.setAttribute(directory.resolve("node"), "unix:uid", 65534);

    assertThat(gc("--delete").out()).contains("node belongs to ", ", not to root");
    assertThat(copy).exists();
  }

  @Test
  void aJobThatWasRunAgainAndComputedNothingHasEnded() throws Exception {
    Path root = directory.resolve("store");
    CheckpointId last;
    try (Checkpoints checkpoints = new Checkpoints(root)) {
      last = checkpoints.write(FOLD, 1, checkpoints.takeEpoch(FOLD), 20, Ancestry.NONE);
      long again = checkpoints.takeEpoch(FOLD);
      try (CheckpointStore store = CheckpointStores.open(root.toString())) {
        GroupMemory memory = new GroupMemory(store);
        memory.markEnd(last);
        memory.markEnd(new CheckpointId(FOLD, again, 20));
        assertThat(memory.hasEnded(last)).isTrue();
      }
    }

    assertThat(gc(root.toString(), "--job", "digits", "--delete").out())
        .contains("e000001-i0000000020");
    assertThat(root.resolve("digits/fold-0").resolve(last.directory())).doesNotExist();
  }

  /** Such as of a program that looked at an older checkpoint. */
  @Test
  void aJobThatEndedWithAnOlderCheckpointHasNotEnded() throws Exception {
    Path root = directory.resolve("store");
    try (Checkpoints checkpoints = new Checkpoints(root)) {
      long first = checkpoints.takeEpoch(FOLD);
      checkpoints.write(FOLD, 1, first, 300, Ancestry.NONE);
      checkpoints.write(FOLD, 1, first, 1000, Ancestry.NONE);
      long again = checkpoints.takeEpoch(FOLD);
      try (CheckpointStore store = CheckpointStores.open(root.toString())) {
        new GroupMemory(store).markEnd(new CheckpointId(FOLD, again, 300));
      }
    }

    assertThat(gc(root.toString(), "--job", "digits", "--delete").err())
        .contains("digits/fold-0 has not ended");
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
    String[] job = {root.toString(), "--job", "digits", "--delete"};

    assertThat(gc(job).err()).contains("digits/fold-0 has not ended");
    try (CheckpointStore store = CheckpointStores.open(root.toString())) {
      new GroupMemory(store).markEnd(last);
    }
    try (Checkpoints checkpoints = new Checkpoints(root)) {
      checkpoints.takeEpoch(FOLD);
    }
    assertThat(gc(job).err()).contains("begun again, in epoch 2", "--ended");
    assertThat(root.resolve("digits/fold-0").resolve(last.directory())).exists();
    assertThat(gc(root.toString(), "--job", "digits", "--delete", "--ended").out())
        .contains("e000001-i0000000010", "e000001-i0000000020");
    assertThat(root.resolve("digits/fold-0/epochs/000001")).exists();
    assertThat(root.resolve("digits/fold-0").resolve(last.directory())).doesNotExist();
    try (CheckpointStore store = CheckpointStores.open(root.toString())) {
      assertThat(new GroupMemory(store).newestSealed(FOLD)).isEmpty();
    }
  }

  @Test
  void nothingIsDeletedBeforeTheJobMayGo() throws Exception {
    Path dead = file("device/arenas/" + DEAD, Duration.ZERO);
    Path root = directory.resolve("store");
    try (Checkpoints checkpoints = new Checkpoints(root)) {
      checkpoints.write(FOLD, 1, checkpoints.takeEpoch(FOLD), 10, Ancestry.NONE);
    }

    CommandRun running = gc(root.toString(), "--job", "digits", "--delete");
    CommandRun unknown = gc(root.toString(), "--job", "letters", "--delete");
    CommandRun none = gc(directory + "/none", "--job", "digits", "--delete");

    assertThat(List.of(running, unknown, none))
        .allSatisfy(run -> assertThat(run.exit()).isEqualTo(ExitCodes.REFUSED))
        .allSatisfy(run -> assertThat(run.out()).isEmpty());
    assertThat(dead).exists();
  }

  @Test
  void aFailureDoesNotHideWhatWasDeletedBefore() throws Exception {
    Path dead = file("device/arenas/" + DEAD, Duration.ZERO);
    Path root = directory.resolve("store");
    CheckpointId last;
    try (Checkpoints checkpoints = new Checkpoints(root)) {
      long epoch = checkpoints.takeEpoch(FOLD);
      checkpoints.write(FOLD, 1, epoch, 10, Ancestry.NONE);
      last = checkpoints.write(FOLD, 1, epoch, 20, Ancestry.NONE);
    }
    Files.createDirectory(root.resolve(StoreNames.file(last, StoreNames.manifestPart(7))));

    CommandRun run = gc(root.toString(), "--job", "digits", "--delete", "--ended");

    assertThat(run.exit()).isEqualTo(ExitCodes.REFUSED);
    assertThat(run.err()).contains(StoreNames.manifestPart(7));
    assertThat(run.out())
        .contains(DEAD, "e000001-i0000000010", "Deleted: ", " in 2 places")
        .doesNotContain("e000001-i0000000020");
    assertThat(dead).doesNotExist();
  }

  @Test
  void anArenaThatAProcessTookMeanwhileIsNotSaidToBeDeleted() throws Exception {
    Path arena = file("device/arenas/" + DEAD, Duration.ZERO);
    Leftovers leftovers = new Leftovers(Instant.now(), Uptime.ofMachine(), true);
    leftovers.arenas(directory.resolve("device"));
    Leftovers.Leftover found = leftovers.found().get(0);
    try (FileChannel owner = FileChannel.open(arena, StandardOpenOption.WRITE)) {
      owner.lock();

      assertThat(leftovers.delete(found)).isFalse();
    }
    assertThat(leftovers.kept()).containsExactly(new Leftovers.Kept(arena, "a process uses it"));
    assertThat(leftovers.delete(found)).isTrue();
    assertThat(arena).doesNotExist();
  }

  @Test
  void aNodeDirectoryThatAProcessTookMeanwhileIsNotSaidToBeDeleted() throws Exception {
    Path copy = file("node/" + OLD + BIRTH + "file", Duration.ofDays(30));
    Path store = directory.resolve("node/" + OLD);
    Leftovers leftovers = new Leftovers(Instant.now(), Uptime.ofMachine(), true);
    leftovers.nodes(directory.resolve("node"), Duration.ZERO);
    Leftovers.Leftover found = leftovers.found().get(0);
    try (UseLock lock = UseLock.hold(store)) {
      assertThat(lock).isNotNull();
      assertThat(leftovers.delete(found)).isFalse();
    }
    assertThat(leftovers.kept()).containsExactly(new Leftovers.Kept(store, "a process uses it"));
    assertThat(copy).exists();
  }

  /**
   * The command is killed in each of its calls in turn. The newer checkpoint leans on the older.
   */
  @Test
  void aReaderFindsNoManifestWhoseContainersWereDeleted() throws Exception {
    boolean deleted = false;
    for (int calls = 0; !deleted; calls++) {
      CrashingMedium medium = new CrashingMedium(calls);
      CheckpointStore store = new CrashingStore(medium, 0);
      LayeredStates states = new LayeredStates(store).floats("weights", 1, 2, 3);
      states.write(new CheckpointId(FOLD, 1, 10));
      states.write(new CheckpointId(FOLD, 1, 20));
      CrashingStore dying = new CrashingStore(medium, calls);
      dying.killAfter(calls);
      try {
        GcCommand.delete(dying, FOLD, true, new ArrayList<>());
        deleted = true;
      } catch (ProcessKilledException e) {
        assertThat(e).as("after %d calls", calls).hasMessageContaining("memory:/crashing");
      }
      medium.applyLate();
      assertThat(Inventory.list(store, FOLD).problems()).as("after %d calls", calls).isEmpty();
    }
  }

  /** While the command walked the directories of this machine, for minutes. */
  @Test
  void aGroupThatIsBegunAgainMeanwhileKeepsItsCheckpoints() throws Exception {
    CheckpointStore store = new CrashingStore(1);
    GroupMemory memory = new GroupMemory(store);
    long epoch = new EpochFiles(store).take(FOLD, 0, "worker 7");
    CheckpointId last =
        new LayeredStates(store).floats("weights", 1).write(new CheckpointId(FOLD, epoch, 20));
    memory.markSealed(last);
    memory.markEnd(last);
    new EpochFiles(store).take(FOLD, 0, "worker 7");
    List<GcCommand.Line> gone = new ArrayList<>();

    assertThatThrownBy(() -> GcCommand.delete(store, FOLD, false, gone))
        .hasMessageContaining("begun again, in epoch 2");

    assertThat(gone).isEmpty();
    assertThat(Inventory.list(store, FOLD).checkpoints()).containsOnlyKeys(last);
    assertThat(memory.newestSealed(FOLD)).contains(last);
  }

  /** It is run to see what would go, be it by another user of a shared machine. */
  @Test
  void withoutDeleteNothingIsWritten() throws Exception {
    Path copy = file("node/" + OLD + BIRTH + "file", Duration.ofDays(30));
    Path arena = file("device/arenas/" + DEAD, Duration.ZERO);
    Map<String, FileTime> before = tree();

    assertThat(gc().out()).contains(OLD + " is of unknown age", "gc --delete");
    assertThat(tree()).isEqualTo(before);

    assertThat(gc("--delete").out()).contains(DEAD);
    assertThat(arena).doesNotExist();
    assertThat(copy).exists();
    rested(OLD, Duration.ofDays(30));
    before = tree();
    assertThat(gc().out()).contains(OLD, "--delete deletes them");
    assertThat(tree()).isEqualTo(before);
  }

  private Map<String, FileTime> tree() throws IOException {
    Map<String, FileTime> all = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.toList()) {
        all.put(file.toString(), Files.getLastModifiedTime(file));
      }
    }
    return all;
  }
}
