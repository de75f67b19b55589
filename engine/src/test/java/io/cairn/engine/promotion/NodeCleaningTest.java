package io.cairn.engine.promotion;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import io.cairn.flush.store.SubdirectoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeCleaningTest {
  private static final GroupId ONE = new GroupId("job", "one");
  private static final GroupId OTHER = new GroupId("job", "other");
  private static final String BIRTH = "01234567-89ab-cdef-0123-456789abcdef";
  private static final Duration EXPIRY = Duration.ofDays(7);

  @TempDir Path root;

  private CheckpointStore store;
  private CheckpointStore node;
  private NodeDirectory directory;
  private String boot = "boot";
  private long hours;

  @BeforeEach
  void open() throws IOException {
    store = LocalStore.open(root.resolve("store"), Durability.PROCESS);
    directory = new NodeDirectory(root.resolve("node"), store);
    node = directory.open();
  }

  @AfterEach
  void close() throws IOException {
    node.close();
    directory.close();
    store.close();
  }

  private NodeCleaning cleaning() {
    return new NodeCleaning(
        directory, node, EXPIRY, () -> new Uptime.Moment(boot, Duration.ofHours(hours)));
  }

  /** The clock of the machine, and so of its files, steps. */
  private void step(Duration back) throws IOException {
    FileTime old = FileTime.from(Instant.now().minus(back));
    try (Stream<Path> files = Files.walk(directory.path())) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, old);
      }
    }
  }

  private void write(GroupId group, long epoch) throws IOException {
    CheckpointStore life = new SubdirectoryStore(node, StoreNames.life(group, BIRTH));
    life.create(StoreNames.epoch(group, epoch)).close();
    life.create(StoreNames.file(new CheckpointId(group, epoch, 1), StoreNames.manifestPart(0)))
        .close();
  }

  private boolean isThere(GroupId group) throws IOException {
    return !node.list(StoreNames.group(group)).isEmpty();
  }

  @Test
  void aGroupThatEndedGoesWhenAnotherWrites() throws IOException {
    write(ONE, 1);
    NodeCleaning cleaning = cleaning();
    cleaning.begun(ONE);
    cleaning.ended(ONE, 1);

    cleaning.run(ONE);
    assertThat(isThere(ONE)).isTrue();

    cleaning.run(OTHER);
    assertThat(isThere(ONE)).isFalse();
  }

  @Test
  void aGroupThatBeganAgainStays() throws IOException {
    write(ONE, 1);
    NodeCleaning cleaning = cleaning();
    cleaning.ended(ONE, 1);
    cleaning.begun(ONE);

    cleaning.run(OTHER);

    assertThat(isThere(ONE)).isTrue();
  }

  @Test
  void aLaterEpochOfAnotherProcessStays() throws IOException {
    write(ONE, 1);
    write(ONE, 2);
    NodeCleaning cleaning = cleaning();
    cleaning.ended(ONE, 1);

    cleaning.run(OTHER);

    assertThat(isThere(ONE)).isTrue();
  }

  /** The group trains on another machine now. */
  @Test
  void aCopyOfALaterEpochForAnotherNodeStays() throws IOException {
    write(ONE, 1);
    CheckpointStore copies = new SubdirectoryStore(node, StoreNames.copies(ONE, BIRTH));
    copies.create(StoreNames.file(new CheckpointId(ONE, 2, 1), StoreNames.manifestPart(0))).close();
    NodeCleaning cleaning = cleaning();
    cleaning.ended(ONE, 1);

    cleaning.run(OTHER);

    assertThat(isThere(ONE)).isTrue();
  }

  @Test
  void aGroupThatEndedStaysWhileAnotherProcessUsesIt() throws IOException {
    write(ONE, 1);
    NodeCleaning other = cleaning();
    other.begun(ONE);
    NodeCleaning cleaning = cleaning();
    cleaning.ended(ONE, 1);

    cleaning.run(OTHER);
    assertThat(isThere(ONE)).isTrue();

    other.left(ONE);
    cleaning.run(OTHER);
    assertThat(isThere(ONE)).isFalse();
  }

  @Test
  void aGroupThatNothingTouchedForLongGoes() throws IOException {
    write(ONE, 1);
    write(OTHER, 1);
    NodeCleaning other = cleaning();
    other.begun(OTHER);
    cleaning().run(OTHER);
    hours += EXPIRY.toHours();

    cleaning().run(OTHER);

    assertThat(isThere(ONE)).isFalse();
    assertThat(isThere(OTHER)).isTrue();
  }

  @Test
  void aStepOfTheClockMakesNoGroupOlder() throws IOException {
    write(ONE, 1);
    step(EXPIRY.plusHours(2));
    cleaning().run(OTHER);
    hours += EXPIRY.toHours() - 1;

    cleaning().run(OTHER);

    assertThat(isThere(ONE)).isTrue();
  }

  @Test
  void theTimeBetweenTwoBootsDoesNotCount() throws IOException {
    write(ONE, 1);
    cleaning().run(OTHER);
    hours += EXPIRY.toHours() - 1;
    cleaning().run(OTHER);
    boot = "another";
    hours += 2;
    cleaning().run(OTHER);
    assertThat(isThere(ONE)).isTrue();

    hours += 2;
    cleaning().run(OTHER);
    assertThat(isThere(ONE)).isFalse();
  }

  @Test
  void aRecordOfRestsThatIsDamagedCountsAsNone() throws IOException {
    write(ONE, 1);
    Files.writeString(directory.path().resolve(StoreNames.RESTED), "job/one\n");

    cleaning().run(OTHER);
    hours += EXPIRY.toHours();
    cleaning().run(OTHER);

    assertThat(isThere(ONE)).isFalse();
  }

  /** Otherwise a full disk would keep what fills it. */
  @Test
  void aGroupThatRestedGoesThoughNoLookCanBeNoted() throws IOException {
    write(ONE, 1);
    Files.createDirectories(directory.path().resolve(StoreNames.RESTED).resolve("in the way"));

    new NodeCleaning(
            directory, node, Duration.ZERO, () -> new Uptime.Moment(boot, Duration.ofHours(hours)))
        .run(OTHER);

    assertThat(isThere(ONE)).isFalse();
  }

  @Test
  void aLockThatFailedIsTakenAtTheNextWrite() throws IOException {
    write(ONE, 1);
    Path inUse = directory.path().resolve(StoreNames.group(ONE)).resolve(StoreNames.IN_USE);
    Files.createDirectory(inUse);
    NodeCleaning running = cleaning();
    running.begun(ONE);
    Files.delete(inUse);

    running.run(ONE);

    assertThat(UseLock.isFree(requireNonNull(inUse.getParent()))).isFalse();
    running.left(ONE);
    assertThat(UseLock.isFree(requireNonNull(inUse.getParent()))).isTrue();
  }

  @Test
  void aDirectoryWhoseLockFailedIsUsedFromTheNextWriteOn() throws IOException {
    directory.close();
    Path inUse = directory.path().resolve(StoreNames.IN_USE);
    Files.delete(inUse);
    Files.createDirectory(inUse);
    directory.open().close();
    Files.delete(inUse);

    cleaning().run(ONE);

    assertThat(UseLock.isFree(directory.path())).isFalse();
  }

  @Test
  void aGroupWhoseCopiesForAnotherNodeWereTouchedStays() throws IOException {
    write(ONE, 1);
    String copies = StoreNames.copies(ONE, BIRTH);
    String copy = StoreNames.file(new CheckpointId(ONE, 1, 1), StoreNames.manifestPart(0));
    new SubdirectoryStore(node, copies).create(copy).close();
    step(Duration.ofDays(1));
    cleaning().run(OTHER);
    hours += EXPIRY.toHours();
    Path touched = directory.path().resolve(copies).resolve(copy).getParent();
    Files.setLastModifiedTime(touched, FileTime.from(Instant.now()));

    cleaning().run(OTHER);

    assertThat(isThere(ONE)).isTrue();
  }

  @Test
  void aDirectoryThatIsNoGroupStays() throws IOException {
    write(ONE, 1);
    Path foreign = directory.path().resolve("thesis/chapter/text");
    Files.createDirectories(foreign);
    Files.createSymbolicLink(directory.path().resolve("job/link"), root);
    cleaning().run(OTHER);
    hours += EXPIRY.toHours();

    cleaning().run(OTHER);

    assertThat(isThere(ONE)).isFalse();
    assertThat(foreign).exists();
    assertThat(root).isNotEmptyDirectory();
  }
}
