package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.Fingerprint;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code diff} of checkpoints whose contents are known. */
class DiffCommandTest {
  private static final GroupId GROUP = new GroupId("digits", "fold-0");
  private static final Fingerprint PROGRAM =
      Fingerprint.NONE.with("region.weights", "float[64]").with("region.state", "blob");

  @TempDir Path directory;
  private CheckpointStore store;
  private LayeredStates states;
  private final float[] weights = new float[64];

  @BeforeEach
  void write() throws IOException {
    store = CheckpointStores.open(directory.toString());
    states = new LayeredStates(store).writtenBy(PROGRAM);
    for (int i = 0; i < weights.length; i++) {
      weights[i] = i + 1;
    }
    states.floats("weights", weights).bytes("state", new byte[100]);
    states.write(id(10));
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private static CheckpointId id(long iteration) {
    return new CheckpointId(GROUP, 1, iteration);
  }

  private CommandRun diff(String... more) {
    String[] arguments = new String[more.length + 4];
    arguments[0] = "diff";
    arguments[1] = directory.toString();
    arguments[2] = "e1-i10";
    arguments[3] = "e1-i20";
    System.arraycopy(more, 0, arguments, 4, more.length);
    return CommandRun.of(arguments);
  }

  private JsonNode json(String... more) throws IOException {
    String[] arguments = new String[more.length + 1];
    arguments[0] = "--json";
    System.arraycopy(more, 0, arguments, 1, more.length);
    return Json.tree(diff(arguments).out());
  }

  private static JsonNode region(JsonNode diff, String name) {
    for (JsonNode each : diff.path("regions")) {
      if (each.path("region").asText().equals(name)) {
        return each;
      }
    }
    throw new AssertionError(name + " is not in " + diff);
  }

  @Test
  void equalCheckpointsAreEqual() throws IOException {
    states.write(id(20));

    CommandRun run = diff();

    assertThat(run.exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(run.lines()).endsWith("  equal");
    assertThat(json().path("equal").asBoolean()).isTrue();
    assertThat(region(json(), "weights").path("equalChunks").asInt()).isEqualTo(4);
  }

  @Test
  void theLargestDifferencesAreFound() throws IOException {
    weights[1] = 3; // by 1, half of it
    weights[50] = 59; // by 8
    weights[51] = Float.NaN;
    states.floats("weights", weights).write(id(20));

    CommandRun run = diff();
    JsonNode weights = region(json(), "weights");

    assertThat(run.exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(run.out()).contains("  different", "3 of 64", "8.0");
    assertThat(weights.path("equalChunks").asInt()).isEqualTo(2);
    assertThat(weights.path("differentChunks").asInt()).isEqualTo(2);
    assertThat(weights.path("firstDifference").asLong()).isBetween(4L, 7L);
    JsonNode numbers = weights.path("numbers");
    assertThat(numbers.path("different").asLong()).isEqualTo(3);
    assertThat(numbers.path("notNumbers").asLong()).isEqualTo(1);
    assertThat(numbers.path("absolute").path("difference").asDouble()).isEqualTo(8);
    assertThat(numbers.path("absolute").path("index").asLong()).isEqualTo(50);
    assertThat(numbers.path("absolute").path("a").asDouble()).isEqualTo(51);
    assertThat(numbers.path("relative").path("difference").asDouble())
        .isCloseTo(1 / 3.0, within(1e-12));
    assertThat(numbers.path("relative").path("index").asLong()).isEqualTo(1);
    assertThat(region(json(), "state").path("numbers").isNull()).isTrue();
  }

  @Test
  void theUserNamesTheNumbersOfARegion() throws IOException {
    byte[] state = new byte[100];
    state[7] = 5;
    states.bytes("state", state).write(id(20));

    JsonNode numbers = region(json("--as", "state=byte"), "state").path("numbers");

    assertThat(numbers.path("absolute").path("difference").asDouble()).isEqualTo(5);
    assertThat(numbers.path("absolute").path("index").asLong()).isEqualTo(7);
    assertThat(region(json("--as", "int"), "state").path("numbers").path("element").asText())
        .isEqualTo("int");
    assertThat(region(json("--as", "int"), "weights").path("numbers").path("element").asText())
        .isEqualTo("float");
    assertThat(diff("--as", "half").exit()).isEqualTo(ExitCodes.REFUSED);
  }

  @Test
  void regionsOfOneSideAndOtherLengthsAreShown() throws IOException {
    states.without("state").bytes("more", new byte[3]).floats("weights", new float[80]);
    states.write(id(20));

    JsonNode diff = json();

    assertThat(diff.path("onlyInA").path(0).asText()).isEqualTo("rank 0, region state");
    assertThat(diff.path("onlyInB").path(0).asText()).isEqualTo("rank 0, region more");
    assertThat(region(diff, "weights").path("bytesB").asLong()).isEqualTo(320);
    assertThat(diff.path("equal").asBoolean()).isFalse();
  }

  @Test
  void aShorterRegionDiffersBeyondItsEnd() throws IOException {
    float[] fewer = new float[20];
    System.arraycopy(weights, 0, fewer, 0, fewer.length);
    states.floats("weights", fewer).write(id(20));

    JsonNode diff = region(json(), "weights");

    assertThat(diff.path("equalChunks").asInt()).isEqualTo(1);
    assertThat(diff.path("differentChunks").asInt()).isEqualTo(3);
    assertThat(diff.path("firstDifference").asLong()).isEqualTo(80);
    assertThat(diff.path("numbers").path("compared").asLong()).isEqualTo(20);
  }

  @Test
  void aDamagedChunkIsNamedAndTheOthersAreCompared() throws IOException {
    states.inChunksOf(LayeredStates.CHUNK);
    weights[63] = 0;
    states.floats("weights", weights).write(id(20));
    Path container = directory.resolve(StoreNames.file(id(10), StoreNames.container(0)));
    Checkpoints.flip(container, 512 + 100 + 3); // chunk 0 of region "weights"

    CommandRun run = diff();

    assertThat(run.exit()).isEqualTo(ExitCodes.BAD);
    assertThat(run.out()).contains("damaged: rank 0 of e1-i10: ", "chunk 0 of 4", "in doubt");
    JsonNode weights = region(json(), "weights");
    assertThat(weights.path("unreadableChunks").asInt()).isEqualTo(1);
    assertThat(weights.path("equalChunks").asInt()).isEqualTo(2);
    assertThat(weights.path("differentChunks").asInt()).isEqualTo(1);
    assertThat(weights.path("numbers").path("absolute").path("index").asLong()).isEqualTo(63);
  }

  /** Chunks that only one of them has are read, too. */
  @Test
  void damageBeyondTheEndOfTheFirstIsNoticed() throws IOException {
    states.inChunksOf(LayeredStates.CHUNK).floats("weights", new float[80]);
    states.bytes("more", new byte[3]).write(id(20));
    Path container = directory.resolve(StoreNames.file(id(20), StoreNames.container(0)));
    byte[] whole = Files.readAllBytes(container);
    int damaged = 0;
    for (int bit = 8 * 512; bit < 8 * whole.length; bit += 8 * 16) {
      Checkpoints.flip(container, bit / 8);

      CommandRun forth = diff();
      CommandRun back = CommandRun.of("diff", directory.toString(), "e1-i20", "e1-i10");

      assertThat(forth.exit()).as("byte %d", bit / 8).isEqualTo(back.exit());
      damaged += forth.exit() == ExitCodes.BAD ? 1 : 0;
      Files.write(container, whole);
    }
    assertThat(damaged).isPositive();
  }

  @Test
  void aRankThatCannotBeOpenedLeavesTheOthers() throws IOException {
    GroupId wave = new GroupId("digits", "wave");
    try (Checkpoints checkpoints = new Checkpoints(directory)) {
      CheckpointId a = checkpoints.write(wave, 2, 1, 10, Ancestry.NONE);
      checkpoints.write(wave, 2, 1, 20, Ancestry.NONE);
      Checkpoints.truncate(checkpoints.containerFile(a, 0), 700);
    }

    CommandRun run = diff("--group", "wave");

    assertThat(run.exit()).isEqualTo(ExitCodes.BAD);
    assertThat(run.out()).contains("damaged: rank 0 of e1-i10", "offset 700");
    assertThat(run.lines())
        .anyMatch(line -> line.matches(" +1 +parameters .* 1 +2 +0 .*"))
        .noneMatch(line -> line.matches(" +0 +parameters .*"));
  }

  @Test
  void anUnknownCheckpointOrAnAmbiguousGroupIsRefused() throws IOException {
    assertThat(diff().err()).contains("has both e1-i10 and e1-i20");
    states.write(id(20));
    try (Checkpoints checkpoints = new Checkpoints(directory)) {
      checkpoints.write(new GroupId("digits", "other"), 1, 1, 10, Ancestry.NONE);
      checkpoints.write(new GroupId("digits", "other"), 1, 1, 20, Ancestry.NONE);
    }
    assertThat(diff().err()).contains("several groups", "--group");
    assertThat(diff("--group", "fold-0").exit()).isEqualTo(ExitCodes.GOOD);
  }

  /** Chunks of any two lengths: each chunk of A is equal exactly if its bytes are. */
  @RepeatedTest(20)
  void chunksOfOtherLengthsCompareByTheirBytes(RepetitionInfo info) throws IOException {
    long seed = info.getCurrentRepetition();
    SplittableRandom random = new SplittableRandom(seed);
    byte[] content = new byte[1 + random.nextInt(2000)];
    random.nextBytes(content);
    int chunk = 8 * (1 + random.nextInt(20));
    states.inChunksOf(chunk).bytes("state", content).write(id(11));
    boolean[] differs = new boolean[(content.length + chunk - 1) / chunk];
    for (int i = random.nextInt(4); i > 0; i--) {
      int at = random.nextInt(content.length);
      content[at] ^= (byte) (1 << i);
      differs[at / chunk] = true;
    }
    states.inChunksOf(8 * (1 + random.nextInt(20))).bytes("state", content).write(id(20));

    CommandRun run = CommandRun.of("diff", directory.toString(), "e1-i11", "e1-i20", "--json");

    JsonNode state = region(Json.tree(run.out()), "state");
    int expected = 0;
    for (boolean each : differs) {
      expected += each ? 1 : 0;
    }
    assertThat(state.path("differentChunks").asInt()).as("seed %d", seed).isEqualTo(expected);
    assertThat(state.path("equalChunks").asInt())
        .as("seed %d", seed)
        .isEqualTo(differs.length - expected);
  }

  /** As the regions of a network's parameters are. */
  @Test
  void plainBytesAreComparedAsTheUserSays() throws IOException {
    Fingerprint bytes = Fingerprint.NONE.with("region.parameters", "byte[32]");
    LayeredStates plain = new LayeredStates(store).writtenBy(bytes);
    plain.floats("parameters", 1, 2, 3, 4, 5, 6, 7, 8).write(id(30));
    plain.floats("parameters", 1, 2, 3, 4, 5, 6, 7, 10).write(id(40));

    CommandRun run =
        CommandRun.of("diff", "--json", directory.toString(), "e1-i30", "e1-i40", "--as", "float");

    JsonNode numbers = region(Json.tree(run.out()), "parameters").path("numbers");
    assertThat(numbers.path("element").asText()).isEqualTo("float");
    assertThat(numbers.path("absolute").path("difference").asDouble()).isEqualTo(2);
    assertThat(numbers.path("absolute").path("index").asLong()).isEqualTo(7);
  }
}
