package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.Ancestry;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.restore.StoreTransfer;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code copy} from a real store to others: new ones, interrupted ones, and those of others. */
class CopyCommandTest {
  private static final GroupId GROUP = new GroupId("digits", "fold-0");

  @TempDir Path directory;
  private CheckpointStore store;
  private CheckpointStore other;
  private final CheckpointId first = new CheckpointId(GROUP, 1, 10);
  private final CheckpointId dead = new CheckpointId(GROUP, 1, 20);
  private final CheckpointId last = new CheckpointId(GROUP, 2, 15);

  /** e1-i10, e1-i20 which is dead, and e2-i15 which descends from e1-i10 and leans on both. */
  @BeforeEach
  void write() throws IOException {
    store = CheckpointStores.open(from().toString());
    other = CheckpointStores.open(to().toString());
    assertThat(new EpochFiles(store).take(GROUP, 0, "worker 7")).isEqualTo(1);
    LayeredStates states = new LayeredStates(store);
    float[] weights = new float[64];
    states.floats("weights", weights).write(first);
    weights[1] = 1;
    states.floats("weights", weights).write(dead);
    assertThat(new EpochFiles(store).take(GROUP, 0, "worker 8")).isEqualTo(2);
    weights[40] = 2;
    states.floats("weights", weights).descending(Ancestry.NONE.continuedFrom(first)).write(last);
    new GroupMemory(store).markSealed(last);
    new GroupMemory(store).markAnySealed(GROUP);
  }

  @AfterEach
  void close() throws IOException {
    store.close();
    other.close();
  }

  private Path from() {
    return directory.resolve("from");
  }

  private Path to() {
    return directory.resolve("to");
  }

  private Path source(CheckpointId id, String name) {
    return from().resolve(StoreNames.file(id, name));
  }

  private Path copy(CheckpointId id, String name) {
    return to().resolve(StoreNames.file(id, name));
  }

  private CommandRun copy(String... more) {
    String[] arguments = new String[more.length + 3];
    arguments[0] = "copy";
    arguments[1] = from().toString();
    arguments[2] = to().toString();
    System.arraycopy(more, 0, arguments, 3, more.length);
    return CommandRun.of(arguments);
  }

  @Test
  void theCopyAloneIsWholeAndResumable() throws IOException {
    CommandRun run = copy();

    assertThat(run.exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(run.lines())
        .anyMatch(line -> line.matches("digits/fold-0 +e1-i10 +copied .*"))
        .anyMatch(line -> line.matches("digits/fold-0 +e2-i15 +copied .*"))
        .noneMatch(line -> line.contains("e1-i20"));
    Path gone = directory.resolve("gone");
    Files.move(from(), gone);
    assertThat(CommandRun.of("verify", to().toString()).exit()).isEqualTo(ExitCodes.GOOD);
    CommandRun explained = CommandRun.of("explain", to().toString(), "--group", "fold-0");
    assertThat(explained.exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(explained.out()).contains("takes e2-i15");
    // the dead one is leaned on, and has no manifest
    assertThat(copy(dead, StoreNames.MANIFEST)).doesNotExist();
    assertThat(Files.readAllBytes(copy(last, StoreNames.MANIFEST)))
        .isEqualTo(Files.readAllBytes(gone.resolve(StoreNames.file(last, StoreNames.MANIFEST))));
    assertThat(GroupBirth.find(other, GROUP)).isPresent();
    assertThat(new GroupMemory(other).newestSealed(GROUP)).contains(last);
    assertThat(new EpochFiles(other).take(GROUP, 0, "worker 9")).isEqualTo(3);
    Files.move(gone, from());
  }

  @Test
  void birthAndEpochsAreThoseOfTheGroup() throws IOException {
    copy();

    assertThat(GroupBirth.find(other, GROUP)).isEqualTo(GroupBirth.find(store, GROUP));
    assertThat(new EpochFiles(other).holder(GROUP, 1).orElse("")).startsWith("worker 7");
    assertThat(new EpochFiles(other).holder(GROUP, 2).orElse("")).startsWith("worker 8");
    assertThat(to().resolve(StoreNames.anySealed(GROUP))).exists();
  }

  @Test
  void aSecondCopyFindsEverythingThere() throws Exception {
    copy();

    JsonNode report = Json.tree(copy("--json").out());

    assertThat(report.path("good").asBoolean()).isTrue();
    assertThat(report.path("bytes").asLong()).isZero();
    assertThat(report.path("checkpoints").findValuesAsText("state"))
        .containsExactly("PRESENT", "PRESENT");
  }

  @Test
  void oneCheckpointBringsItsHolders() throws IOException {
    CommandRun run = copy("--checkpoint", "e2-i15");

    assertThat(run.exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(copy(first, StoreNames.MANIFEST)).doesNotExist();
    assertThat(copy(first, StoreNames.container(0))).exists();
    assertThat(CommandRun.of("verify", to().toString()).exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(copy("--checkpoint", "e7-i1").exit()).isEqualTo(ExitCodes.REFUSED);
  }

  /** A dead one may be chosen by name. */
  @Test
  void aDeadCheckpointIsCopiedByName() throws IOException {
    assertThat(copy("--checkpoint", "e1-i20").exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(CommandRun.of("explain", to().toString(), "--group", "fold-0").out())
        .contains("takes e1-i20");
  }

  @Test
  void aDamagedCheckpointIsRefusedAndTheOthersAreCopied() throws IOException {
    Checkpoints.flip(source(last, StoreNames.container(0)), 512);

    CommandRun run = copy();

    assertThat(run.exit()).isEqualTo(ExitCodes.BAD);
    assertThat(run.lines())
        .anyMatch(line -> line.matches("digits/fold-0 +e1-i10 +copied .*"))
        .anyMatch(line -> line.matches("digits/fold-0 +e2-i15 +refused .*offset 512.*"));
    assertThat(run.out()).contains(source(last, StoreNames.container(0)).toString());
    assertThat(copy(last, StoreNames.MANIFEST)).doesNotExist();
    assertThat(copy(last, StoreNames.container(0))).doesNotExist();
    assertThat(CommandRun.of("verify", to().toString()).exit()).isEqualTo(ExitCodes.GOOD);
  }

  @Test
  void aLostContainerAndADamagedManifestAreRefused() throws IOException {
    Files.delete(source(first, StoreNames.container(0)));
    Checkpoints.flip(source(dead, StoreNames.MANIFEST), 30);

    CommandRun run = copy();

    assertThat(run.exit()).isEqualTo(ExitCodes.BAD);
    assertThat(run.lines()).filteredOn(line -> line.contains("refused ")).hasSize(3);
    assertThat(copy(last, StoreNames.MANIFEST)).doesNotExist();
  }

  /** A copy that ended in mid-file goes on, and keeps what is whole. */
  @Test
  void anInterruptedCopyGoesOn() throws IOException {
    copy();
    Files.delete(copy(last, StoreNames.MANIFEST));
    Checkpoints.truncate(copy(last, StoreNames.container(0)), 600);
    Files.delete(copy(dead, StoreNames.container(0)));
    Checkpoints.truncate(to().resolve(StoreNames.epoch(GROUP, 2)), 3);

    CommandRun run = copy();

    assertThat(run.exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(run.lines())
        .anyMatch(line -> line.matches("digits/fold-0 +e1-i10 +present .*"))
        .anyMatch(line -> line.matches("digits/fold-0 +e2-i15 +copied .*"));
    assertThat(Files.readAllBytes(copy(last, StoreNames.container(0))))
        .isEqualTo(Files.readAllBytes(source(last, StoreNames.container(0))));
    try (var files = Files.list(copy(last, "x").getParent())) {
      assertThat(files).hasSize(2);
    }
  }

  @Test
  void nothingThatIsThereIsReplaced() throws IOException {
    copy();
    Path container = copy(first, StoreNames.container(0));
    Checkpoints.truncate(container, 600);
    byte[] cut = Files.readAllBytes(container);
    Path manifest = copy(last, StoreNames.MANIFEST);
    Checkpoints.flip(manifest, 40);
    byte[] flipped = Files.readAllBytes(manifest);

    CommandRun run = copy();

    assertThat(run.exit()).isEqualTo(ExitCodes.BAD);
    assertThat(run.lines())
        .anyMatch(line -> line.matches(".*e1-i10 +refused .*a checkpoint there needs it: .*"))
        .anyMatch(line -> line.matches(".*e2-i15 +refused .*is not replaced"));
    assertThat(Files.readAllBytes(container)).isEqualTo(cut);
    assertThat(Files.readAllBytes(manifest)).isEqualTo(flipped);
  }

  /** Its length is right, so the checkpoint of which it is a part counts as present. */
  @Test
  void nothingIsPublishedUponADamagedContainer() throws IOException {
    copy();
    Checkpoints.flip(copy(first, StoreNames.container(0)), 300);
    Files.delete(copy(last, StoreNames.MANIFEST));

    CommandRun run = copy();

    assertThat(run.exit()).as(run.out()).isEqualTo(ExitCodes.BAD);
    assertThat(run.lines())
        .anyMatch(line -> line.matches(".*e1-i10 +present .*"))
        .anyMatch(line -> line.matches(".*e2-i15 +refused .*a checkpoint there needs it: .*"));
    assertThat(copy(last, StoreNames.MANIFEST)).doesNotExist();
  }

  @Test
  void aGroupThatWentOnInTheOtherStoreIsRefused() throws IOException {
    copy();
    new EpochFiles(other).take(GROUP, 0, "worker of the copy");

    CommandRun run = copy();

    assertThat(run.exit()).isEqualTo(ExitCodes.BAD);
    assertThat(run.out()).contains("epoch 3 of digits/fold-0 was taken in ", "a training went on");
    new EpochFiles(store).take(GROUP, 0, "worker 9");
    assertThat(copy().out()).contains("epoch 3 of digits/fold-0 was taken by other attempts");
  }

  @Test
  void anotherLifeOfTheGroupIsRefused() throws IOException {
    String birth = GroupBirth.of(other, GROUP);

    CommandRun run = copy();

    assertThat(run.exit()).isEqualTo(ExitCodes.BAD);
    assertThat(run.out()).contains("another life of the group", birth);
    assertThat(copy(last, StoreNames.container(0))).doesNotExist();
    assertThat(GroupBirth.find(other, GROUP)).isEqualTo(Optional.of(birth));
  }

  @Test
  void aNodesDirectoryIsNoSource() throws IOException {
    Files.createDirectories(from().resolve(StoreNames.life(GROUP, GroupBirth.of(store, GROUP))));

    assertThat(copy().err()).contains("is a node's directory");
  }

  /** A training goes on while its store is copied, and deletes what was listed. */
  @Test
  void aGroupWhoseCheckpointsWereDeletedMeanwhileIsPlannedAgain() throws IOException {
    List<StoreTransfer.Plan> plans = List.of(StoreTransfer.plan(store, GROUP, Optional.empty()));
    delete(first, dead, last);
    CheckpointId later = new CheckpointId(GROUP, 2, 40);
    new LayeredStates(store).floats("weights", new float[64]).write(later);

    CopyCommand.Report report = CopyCommand.copy(store, other, plans, false);

    assertThat(report.good()).isTrue();
    assertThat(report.checkpoints())
        .filteredOn(line -> line.state() == StoreTransfer.State.COPIED)
        .extracting(CopyCommand.Line::checkpoint)
        .containsExactly("e2-i40");
    assertThat(CommandRun.of("verify", to().toString()).exit()).isEqualTo(ExitCodes.GOOD);
  }

  @Test
  void aGroupOfWhichNothingIsThereIsNoSuccess() throws IOException {
    List<StoreTransfer.Plan> plans = List.of(StoreTransfer.plan(store, GROUP, Optional.empty()));
    delete(first, dead, last);

    CopyCommand.Report report = CopyCommand.copy(store, other, plans, false);

    assertThat(report.good()).isFalse();
    assertThat(report.checkpoints())
        .extracting(CopyCommand.Line::state)
        .containsOnly(StoreTransfer.State.GONE);
  }

  @Test
  void aChosenCheckpointThatWasDeletedMeanwhileIsNoSuccess() throws IOException {
    List<StoreTransfer.Plan> plans = List.of(StoreTransfer.plan(store, GROUP, Optional.of(first)));
    delete(first);

    CopyCommand.Report report = CopyCommand.copy(store, other, plans, true);

    assertThat(report.good()).isFalse();
    assertThat(report.checkpoints())
        .singleElement()
        .matches(line -> line.state() == StoreTransfer.State.GONE);
  }

  private void delete(CheckpointId... ids) throws IOException {
    for (CheckpointId id : ids) {
      store.delete(StoreNames.file(id, StoreNames.MANIFEST));
      store.delete(StoreNames.file(id, StoreNames.container(0)));
    }
  }

  @Test
  void aStoreIsNotCopiedIntoItself() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link"), from());
    for (Path inside :
        List.of(from().resolve("inside"), from(), link.resolve("in/side"), directory)) {
      CommandRun run = CommandRun.of("copy", from().toString(), inside.toString());

      assertThat(run.exit()).as("%s", inside).isEqualTo(ExitCodes.REFUSED);
      assertThat(run.err()).contains(inside.toString(), "outside");
    }
    assertThat(from().resolve("inside")).doesNotExist();
    assertThat(CommandRun.of("copy", from().toString(), from() + "2").exit())
        .isEqualTo(ExitCodes.GOOD);
  }
}
