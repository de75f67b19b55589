package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointFacts;
import io.cairn.core.model.Fingerprint;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.format.Parts;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code inspect} over real stores and files, whole and damaged. */
class InspectCommandTest {
  private static final GroupId GROUP = new GroupId("digits", "fold-0");
  private static final Instant SEALED = Instant.parse("2026-05-01T12:00:00Z");
  private static final Fingerprint PROGRAM =
      new CheckpointFacts(OptionalDouble.of(0.25), Optional.of(SEALED))
          .addedTo(
              Fingerprint.NONE
                  .with("label", "digits v2")
                  .with("region.weights", "float[48]")
                  .with("layout.weights", "replicated"));

  @TempDir Path directory;

  private CheckpointStore store;
  private final CheckpointId older = new CheckpointId(GROUP, 1, 10);
  private final CheckpointId newer = new CheckpointId(GROUP, 1, 20);

  @BeforeEach
  void write() throws IOException {
    store = CheckpointStores.open(directory.toString());
    LayeredStates states = new LayeredStates(store).writtenBy(PROGRAM);
    float[] weights = new float[48];
    states.floats("weights", weights).bytes("state", new byte[100]).write(older);
    weights[20] = 1;
    states.floats("weights", weights).write(newer);
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private Path container(CheckpointId id) {
    return directory.resolve(StoreNames.file(id, StoreNames.container(0)));
  }

  private CommandRun inspect(String... more) {
    String[] arguments = new String[more.length + 2];
    arguments[0] = "inspect";
    arguments[1] = directory.toString();
    System.arraycopy(more, 0, arguments, 2, more.length);
    return CommandRun.of(arguments);
  }

  @Test
  void theNewestCheckpointIsShownByDefault() {
    CommandRun run = inspect();

    assertThat(run.exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(run.out())
        .contains("digits/fold-0 e1-i20 in ", "score", "0.25", "digits v2", "2026-05-01T12:00:00Z")
        .contains("leans on: writer-r00000.chunks of e1-i10", "all good");
    assertThat(run.lines())
        .anyMatch(line -> line.matches(" *0 +weights +float\\[48] .* 3 +1 +2 +0 .*replicated.*"))
        .anyMatch(line -> line.matches(" *0 +state .* 2 +0 +2 +0 .*"));
    assertThat(inspect("--checkpoint", "e1-i10").out())
        .contains("e1-i10")
        .doesNotContain("leans on");
  }

  @Test
  void jsonHasEveryPart() throws Exception {
    JsonNode report = Json.tree(inspect("--checkpoint", "e1-i20", "--json").out());

    JsonNode inspection = report.path("inspections").path(0);
    assertThat(report.path("good").asBoolean()).isTrue();
    JsonNode manifest = inspection.path("manifests").path(0);
    assertThat(manifest.path("score").asDouble()).isEqualTo(0.25);
    assertThat(manifest.path("version").asText()).isEqualTo("3");
    byte[] text =
        Files.readAllBytes(directory.resolve(StoreNames.file(newer, StoreNames.MANIFEST)));
    assertThat(manifest.path("bytes").asInt()).isEqualTo(text.length);
    JsonNode file = inspection.path("files").path(0);
    assertThat(file.path("holders").path(0).path("checkpoint").asText()).isEqualTo("e1-i10");
    assertThat(file.path("regions").findValuesAsText("leaned")).containsExactly("2", "2");
    assertThat(file.path("index").path("holders").asInt()).isEqualTo(1);
  }

  @Test
  void aDamagedHolderBreaksTheChunksThatLeanOnIt() throws IOException {
    Checkpoints.flip(container(older), 512); // chunk 0 of region "state"

    CommandRun run = inspect();

    assertThat(run.exit()).isEqualTo(ExitCodes.BAD);
    assertThat(run.lines()).anyMatch(line -> line.matches(" *0 +state .* 2 +0 +2 +0 .* 0"));
    assertThat(run.out()).contains("broken: " + container(older) + ", offset 512: ");
  }

  @Test
  void aCutFileKeepsWhatStandsBeforeTheCut() throws IOException {
    Checkpoints.truncate(container(older), 600);

    CommandRun run = inspect("--checkpoint", "e1-i10");

    assertThat(run.exit()).isEqualTo(ExitCodes.BAD);
    assertThat(run.out())
        .contains("offset 600: is 600 bytes long", "lost", "unknown", "label", "digits v2")
        .doesNotContain("defect");
  }

  @Test
  void aFileWithoutItsTrailerShowsItsRegions() throws IOException {
    Path file = container(older);
    Checkpoints.truncate(file, Files.size(file) - 64);

    CommandRun run = CommandRun.of("inspect", file.toString());

    assertThat(run.exit()).isEqualTo(ExitCodes.BAD);
    assertThat(run.out()).contains("found by its content", "weights", "all", "broken: ");
  }

  @Test
  void oneFileIsReadWithoutItsStore() throws IOException {
    Path copy = Files.copy(container(newer), directory.resolve("copy.bin"));

    CommandRun run = CommandRun.of("inspect", copy.toString());

    assertThat(run.exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(run.out()).contains("no manifest", "e1-i20", "weights");
    Files.writeString(copy, "something else");
    assertThat(CommandRun.of("inspect", copy.toString()).exit()).isEqualTo(ExitCodes.BAD);
    Path inPlace = container(newer);
    assertThat(CommandRun.of("inspect", inPlace.toString()).out()).contains("leans on: ");
  }

  @Test
  void aDamagedManifestLeavesItsContainersReadable() throws IOException {
    Path manifest = directory.resolve(StoreNames.file(older, StoreNames.MANIFEST));
    Checkpoints.flip(manifest, 60);

    CommandRun run = inspect("--checkpoint", "e1-i10");

    assertThat(run.exit()).isEqualTo(ExitCodes.BAD);
    assertThat(run.out())
        .contains("readable", "lines before the damage", "no manifest", "weights", "broken: ")
        .contains("its sha256 line does not match");
    Path alone = Files.copy(manifest, directory.resolve("MANIFEST"));
    assertThat(CommandRun.of("inspect", alone.toString()).exit()).isEqualTo(ExitCodes.BAD);
  }

  @Test
  void aLostContainerAndALostManifestAreNamed() throws IOException {
    Files.delete(container(newer));
    assertThat(inspect().out()).contains("broken: " + container(newer), "cannot be opened");
    new GroupMemory(store).markSealed(newer);
    Files.delete(directory.resolve(StoreNames.file(newer, StoreNames.MANIFEST)));

    CommandRun run = inspect();

    assertThat(run.exit()).isEqualTo(ExitCodes.BAD);
    assertThat(run.out()).contains("e1-i20", "was sealed, and its manifest is gone");
  }

  @Test
  void eachPartOfARankIsShown() throws IOException {
    CheckpointId parted;
    try (Checkpoints checkpoints = new Checkpoints(directory)) {
      parted = checkpoints.writeInParts(GROUP, 1, 30);
    }

    CommandRun run = inspect();

    assertThat(run.exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(run.out()).contains(parted.label(), Parts.name(0, 0, 2), Parts.name(0, 1, 2));
  }

  @Test
  void anUnknownCheckpointIsRefused() throws IOException {
    assertThat(inspect("--checkpoint", "e7-i7").exit()).isEqualTo(ExitCodes.REFUSED);
    assertThat(inspect("--checkpoint", "seven").err())
        .contains("'seven' is no checkpoint", "e3-i42");
    try (Checkpoints checkpoints = new Checkpoints(directory)) {
      checkpoints.write(new GroupId("digits", "other"), 1, 1, 5, Ancestry.NONE);
    }
    assertThat(inspect("--group", "other").out()).contains("digits/other e1-i5");
    assertThat(inspect().lines()).filteredOn(line -> line.contains(" in ")).hasSize(2);
  }
}
