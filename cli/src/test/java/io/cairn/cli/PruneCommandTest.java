package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointFacts;
import io.cairn.core.model.Fingerprint;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.commit.RetentionPolicy;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code prune} of a real store: what it shows, what it deletes, and what it never deletes. */
class PruneCommandTest {
  private static final GroupId GROUP = new GroupId("digits", "fold-0");
  private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

  @TempDir Path directory;
  private CheckpointStore store;

  /** e1-i10 to e1-i50, one per hour, the best is e1-i20, and e1-i20 leans on e1-i10 alone. */
  @BeforeEach
  void write() throws IOException {
    store = CheckpointStores.open(directory.toString());
    new EpochFiles(store).take(GROUP, 0, "process 1@elsewhere");
    LayeredStates states = new LayeredStates(store);
    double[] scores = {0.5, 0.1, 0.4, 0.3, 0.2};
    byte[] content = new byte[4 * LayeredStates.CHUNK];
    for (int i = 0; i < scores.length; i++) {
      states.writtenBy(
          new CheckpointFacts(
                  OptionalDouble.of(scores[i]), Optional.of(NOON.plusSeconds(3600L * i)))
              .addedTo(Fingerprint.NONE));
      content[i % 2] = (byte) (i + 1);
      if (i == 2) {
        states.inChunksOf(2 * LayeredStates.CHUNK);
        content[2 * LayeredStates.CHUNK] = 1;
      }
      states.bytes("weights", content).write(id(10L * (i + 1)));
    }
    new GroupMemory(store).markSealed(id(50));
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private static CheckpointId id(long iteration) {
    return new CheckpointId(GROUP, 1, iteration);
  }

  private CommandRun prune(String... more) {
    String[] arguments = new String[more.length + 2];
    arguments[0] = "prune";
    arguments[1] = directory.toString();
    System.arraycopy(more, 0, arguments, 2, more.length);
    return CommandRun.of(arguments);
  }

  /** The checkpoints that still have a manifest. */
  private Set<String> manifests() throws IOException {
    Set<String> found = new TreeSet<>();
    for (int i = 10; i <= 50; i += 10) {
      if (Files.exists(directory.resolve(StoreNames.file(id(i), StoreNames.MANIFEST)))) {
        found.add("i" + i);
      }
    }
    return found;
  }

  private long bytes() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private void requireWhole() {
    CommandRun run = CommandRun.of("verify", directory.toString());
    assertThat(run.exit()).as(run.out()).isEqualTo(ExitCodes.GOOD);
  }

  @Test
  void aDryRunDeletesNothingAndSaysWhy() throws IOException {
    long before = bytes();

    CommandRun run = prune("--keep-last", "1", "--keep-best", "1");

    assertThat(run.exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(bytes()).isEqualTo(before);
    assertThat(run.lines())
        .anyMatch(line -> line.matches(" +e1-i10 +goes .*kept by no rule; leaned on by e1-i20"))
        .anyMatch(line -> line.matches(" +e1-i20 +stays .* best"))
        .anyMatch(line -> line.matches(" +e1-i40 +goes .*"))
        .anyMatch(line -> line.matches(" +e1-i50 +stays .* newest; the newest that can be rest.*"));
    assertThat(run.out()).contains("would be freed; --yes deletes them");
  }

  @Test
  void yesDeletesWhatWasShownAndFreesTheBytesThatItSaid() throws Exception {
    long before = bytes();
    JsonNode shown = Json.tree(prune("--keep-best", "1", "--json").out());

    JsonNode done = Json.tree(prune("--keep-best", "1", "--yes", "--json").out());

    assertThat(manifests()).containsExactly("i20", "i50");
    assertThat(done.path("freed").asLong()).isEqualTo(shown.path("freed").asLong());
    assertThat(before - bytes()).isEqualTo(done.path("freed").asLong());
    assertThat(directory.resolve(StoreNames.file(id(10), StoreNames.container(0)))).exists();
    requireWhole();
    assertThat(prune("--keep-best", "1").out()).contains("0 B would be freed");
  }

  @Test
  void aPoisonedNewestCheckpointIsDiscardedByItsName() throws Exception {
    CommandRun shown = prune("--discard", "e1-i50");

    assertThat(shown.exit()).as(shown.err()).isEqualTo(ExitCodes.GOOD);
    assertThat(shown.out()).contains("e1-i50: goes with --yes", "a restore takes e1-i40");
    assertThat(manifests()).contains("i50");

    CommandRun done = prune("--discard", "e1-i50", "--yes", "--json");

    assertThat(Json.tree(done.out()).path("next").asText()).isEqualTo("e1-i40");
    assertThat(manifests()).containsExactly("i10", "i20", "i30", "i40");
    requireWhole();
  }

  @Test
  void aDiscardOfWhatOthersLeanOnLeavesTheirContainers() throws Exception {
    assertThat(prune("--discard", "e1-i10", "--yes").exit()).isEqualTo(ExitCodes.GOOD);

    assertThat(manifests()).containsExactly("i20", "i30", "i40", "i50");
    requireWhole();
  }

  @Test
  void anUnreadableManifestIsDiscarded() throws Exception {
    Path manifest = directory.resolve(StoreNames.file(id(50), StoreNames.MANIFEST));
    Files.delete(manifest);
    Files.createSymbolicLink(manifest, directory.resolve("nowhere"));

    assertThat(prune("--discard", "e1-i50", "--yes").exit()).isEqualTo(ExitCodes.GOOD);

    requireWhole();
  }

  /** Otherwise the copy at NODE would be restored again. */
  @Test
  void aDiscardTakesTheCopiesOfNodesAlong(@TempDir Path node) throws Exception {
    String identity = StoreIdentity.of(store);
    String life = StoreNames.life(GROUP, GroupBirth.of(store, GROUP));
    Path copy = node.resolve(identity).resolve(life).resolve(StoreNames.checkpoint(id(50)));
    Files.createDirectories(copy);
    Files.createFile(copy.resolve(StoreNames.manifestPart(0)));

    assertThat(prune("--discard", "e1-i50", "--node", node.toString(), "--yes").exit())
        .isEqualTo(ExitCodes.GOOD);

    assertThat(copy).doesNotExist();
  }

  @Test
  void theLastCheckpointIsNotDiscarded() throws Exception {
    for (int i = 10; i <= 40; i += 10) {
      assertThat(prune("--discard", "e1-i" + i, "--yes").exit()).isEqualTo(ExitCodes.GOOD);
    }

    CommandRun last = prune("--discard", "e1-i50", "--yes");

    assertThat(last.exit()).isEqualTo(ExitCodes.REFUSED);
    assertThat(last.err())
        .contains("nothing of digits/fold-0 can be restored", "(on Spark spark.cairn.resume)");
    assertThat(prune("--discard", "e1-i60").err()).contains("no checkpoint 'e1-i60'");
    assertThat(manifests()).containsExactly("i50");
  }

  @Test
  void eachRuleKeepsItsOwn() throws IOException {
    assertThat(prune("--keep-within", "150m", "--yes").exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(manifests()).containsExactly("i30", "i40", "i50");
    requireWhole();
    assertThat(prune("--keep-best", "1", "--best", "highest", "--yes").exit())
        .isEqualTo(ExitCodes.GOOD);
    assertThat(manifests()).containsExactly("i30", "i50");
    assertThat(prune("--keep-last", "1", "--yes").exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(manifests()).containsExactly("i50");
    requireWhole();
  }

  @Test
  void withoutARuleOrWithAnIllegalOneNothingHappens() throws IOException {
    assertThat(prune("--yes").exit()).isEqualTo(ExitCodes.REFUSED);
    assertThat(prune("--keep-last", "0", "--yes").exit()).isEqualTo(ExitCodes.REFUSED);
    assertThat(prune("--keep-within", "soon", "--yes").exit()).isEqualTo(ExitCodes.REFUSED);
    assertThat(prune("--keep-last", "0").err()).contains("--keep-last is '0': give 1 or more");
    assertThat(prune("--keep-within", "soon").err()).contains("--keep-within is 'soon': give a");
    assertThat(prune("--keep-best", "-1").err()).contains("--keep-best is '-1': give 0 or more");
    assertThat(prune("--keep-every", "x").err()).contains("--keep-every is 'x': give 0 or more");
    assertThat(prune("--keep-best", "1", "--best", "up").err())
        .contains("--best is 'up': give lowest or highest");
    assertThat(manifests()).hasSize(5);
  }

  /** The newest ones look whole, and are not. */
  @Test
  void theNewestThatCanBeRestoredStays() throws IOException {
    for (int i : new int[] {40, 50}) {
      Checkpoints.flip(directory.resolve(StoreNames.file(id(i), StoreNames.container(0))), 512);
    }

    CommandRun run = prune("--keep-last", "1", "--yes");

    assertThat(run.exit()).isEqualTo(ExitCodes.BAD);
    assertThat(run.lines())
        .anyMatch(line -> line.matches(" +e1-i30 +stays .* the newest that can be restored.*"))
        .anyMatch(line -> line.matches(" +e1-i50 +stays .* damaged: .*"));
    assertThat(manifests()).containsExactly("i30", "i50");
    assertThat(CommandRun.of("explain", directory.toString(), "--group", "fold-0").out())
        .contains("takes e1-i30");
  }

  /** A restore goes back along its line, too. */
  @Test
  void aLostCheckpointStillDecidesWhichOnesCount() throws IOException {
    new EpochFiles(store).take(GROUP, 0, "process 7@elsewhere");
    LayeredStates states = new LayeredStates(store).bytes("weights", new byte[3]);
    states.descending(Ancestry.NONE.continuedFrom(id(30)));
    CheckpointId lost = states.write(new CheckpointId(GROUP, 2, 31));
    Files.delete(directory.resolve(StoreNames.file(lost, StoreNames.container(0))));

    CommandRun run = prune("--keep-last", "1", "--ended", "--yes");

    assertThat(run.lines())
        .anyMatch(line -> line.matches(" +e1-i30 +stays .* the newest that can be restored.*"));
    assertThat(manifests()).contains("i30").doesNotContain("i10", "i20");
    assertThat(CommandRun.of("explain", directory.toString(), "--group", "fold-0").out())
        .contains("takes e1-i30");
  }

  /** While the newest checkpoints were read. */
  @Test
  void aTrainingThatBeginsMeanwhileIsNotSaidToHaveBeenPruned() throws IOException {
    Pruning pruning = new Pruning(store, GROUP, RetentionPolicy.newest(1), false);
    pruning.examine(bytes -> {});
    List<Pruning.Fate> shown = pruning.fates();
    assertThat(shown).anyMatch(fate -> !fate.stays());
    new EpochFiles(store).take(GROUP, 0, "process 7@elsewhere");

    Pruning.Deleted deleted = pruning.delete(shown);

    assertThat(deleted.problems()).singleElement().asString().contains("begun to use it");
    assertThat(deleted.fates()).hasSize(5).allMatch(fate -> fate.stays() && fate.freed() == 0);
    assertThat(manifests()).hasSize(5);
  }

  /** Such as on a store that is full, or whose rights have changed. */
  @Test
  void whatCouldNotBeDeletedIsNotSaidToBeGone() throws IOException {
    long before = bytes();
    String manifest = StoreNames.file(id(40), StoreNames.MANIFEST);
    Pruning pruning = pruning(manifest);

    Pruning.Deleted deleted = pruning.delete(pruning.fates());

    assertThat(deleted.problems()).singleElement().asString().contains("no right to delete");
    assertThat(manifests()).containsExactly("i40", "i50");
    assertThat(deleted.fates())
        .filteredOn(Pruning.Fate::stays)
        .extracting(Pruning.Fate::checkpoint)
        .containsExactly("e1-i40", "e1-i50");
    assertThat(freed(deleted)).isPositive().isEqualTo(before - bytes());
  }

  @Test
  void bytesThatAreLeftAreNotSaidToBeFreed() throws IOException {
    long before = bytes();
    Pruning pruning = pruning(StoreNames.checkpoint(id(40)));

    Pruning.Deleted deleted = pruning.delete(pruning.fates());

    assertThat(deleted.problems()).singleElement().asString().contains("no right to delete");
    assertThat(manifests()).containsExactly("i50");
    assertThat(freed(deleted)).isPositive().isEqualTo(before - bytes());
  }

  private static long freed(Pruning.Deleted deleted) {
    return deleted.fates().stream().mapToLong(Pruning.Fate::freed).sum();
  }

  private Pruning pruning(String undeletable) throws IOException {
    Pruning pruning =
        new Pruning(undeletable(undeletable), GROUP, RetentionPolicy.newest(1), false);
    pruning.examine(bytes -> {});
    return pruning;
  }

  /** This store, in which a file or directory cannot be deleted. */
  private CheckpointStore undeletable(String path) {
    return (CheckpointStore)
        Proxy.newProxyInstance(
            CheckpointStore.class.getClassLoader(),
            new Class<?>[] {CheckpointStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().startsWith("delete") && arguments[0].equals(path)) {
                throw new IOException(path + ": no right to delete it");
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void aStoreThatDoesNotExistIsNotCreated() {
    Path none = directory.resolve("none");

    CommandRun run = CommandRun.of("prune", none.toString(), "--keep-last", "1", "--yes");

    assertThat(run.exit()).isEqualTo(ExitCodes.REFUSED);
    assertThat(none).doesNotExist();
  }

  @Test
  void ifNoneCanBeRestoredAllStay() throws IOException {
    for (int i = 10; i <= 50; i += 10) {
      Path container = directory.resolve(StoreNames.file(id(i), StoreNames.container(0)));
      Checkpoints.flip(container, Files.size(container) - 1);
    }

    CommandRun run = prune("--keep-last", "1", "--yes");

    assertThat(run.exit()).isEqualTo(ExitCodes.BAD);
    assertThat(run.out()).contains("none of them can be restored, so all stay", "Deleted: 0 B");
    assertThat(manifests()).hasSize(5);
  }

  @Test
  void aGroupWhoseTrainingRunsHereIsRefused() throws IOException {
    String own = "process " + ManagementFactory.getRuntimeMXBean().getName();
    new EpochFiles(store).take(GROUP, 0, own);
    LayeredStates states = new LayeredStates(store).bytes("weights", new byte[3]);
    states.descending(Ancestry.NONE.continuedFrom(id(50)));
    CheckpointId last = states.write(new CheckpointId(GROUP, 2, 60));

    assertThat(prune("--keep-last", "1").out()).contains("held: its training runs", "goes");
    CommandRun run = prune("--keep-last", "1", "--yes");

    assertThat(run.exit()).isEqualTo(ExitCodes.REFUSED);
    assertThat(run.err()).contains("nothing was deleted", own);
    assertThat(manifests()).hasSize(5);
    new GroupMemory(store).markEnd(last);
    assertThat(prune("--keep-last", "1", "--yes").exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(manifests()).isEmpty();
    requireWhole();
  }

  @Test
  void anEpochThatSealedNothingHoldsTheGroupUntilItsEndIsKnown() throws IOException {
    new EpochFiles(store).take(GROUP, 0, "process 7@elsewhere");

    assertThat(prune("--keep-last", "1", "--yes").err())
        .contains("epoch 2, by process 7@elsewhere", "has sealed nothing yet", "--ended");
    assertThat(manifests()).hasSize(5);
    assertThat(prune("--keep-last", "1", "--yes", "--ended").exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(manifests()).containsExactly("i50");
    assertThat(directory.resolve(StoreNames.epoch(GROUP, 2))).exists();
  }

  @Test
  void deadAndUnfinishedOnesGoAndThoseInDoubtStay() throws IOException {
    new EpochFiles(store).take(GROUP, 0, "process 7@elsewhere");
    LayeredStates states = new LayeredStates(store).bytes("weights", new byte[3]);
    states.descending(Ancestry.NONE.continuedFrom(id(30)));
    states.write(new CheckpointId(GROUP, 2, 31));
    Files.delete(directory.resolve(StoreNames.file(id(40), StoreNames.MANIFEST)));

    CommandRun run = prune("--keep-last", "1");

    assertThat(run.lines())
        .anyMatch(line -> line.matches(" +e1-i50 +goes .* dead"))
        .anyMatch(line -> line.matches(" +e2-i31 +stays .* newest.*"));
    assertThat(prune("--keep-last", "1", "--yes").exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(manifests()).isEmpty();
    requireWhole();
  }
}
