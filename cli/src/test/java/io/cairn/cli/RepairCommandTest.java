package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.Ancestry;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.format.Parts;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code verify --repair} over real directories of a store and of nodes. */
class RepairCommandTest {
  private static final GroupId GROUP = new GroupId("digits", "fold-0");
  private static final long IN_A_CHUNK = 700;

  @TempDir Path directory;

  private CheckpointId id = new CheckpointId(GROUP, 1, 10);
  private String birth = "";
  private String identity = "";
  private byte[] good = {};

  @BeforeEach
  void write() throws IOException {
    try (Checkpoints checkpoints = new Checkpoints(store())) {
      id = checkpoints.write(GROUP, 1, 1, 10, Ancestry.NONE);
    }
    try (CheckpointStore store = CheckpointStores.open(store().toString())) {
      birth = GroupBirth.of(store, GROUP);
      identity = StoreIdentity.of(store);
    }
    good = Files.readAllBytes(container());
  }

  private Path store() {
    return directory.resolve("store");
  }

  private Path container() {
    return store().resolve(StoreNames.file(id, StoreNames.container(0)));
  }

  /** A node with a copy of the checkpoint below this path. */
  private Path node(String name, String life) throws IOException {
    Path node = directory.resolve(name);
    Path root = Files.createDirectories(node.resolve(identity).resolve(life));
    try (Checkpoints checkpoints = new Checkpoints(root)) {
      checkpoints.write(GROUP, 1, 1, 10, Ancestry.NONE);
    }
    return node;
  }

  private CommandRun repair(Path... nodes) {
    String[] arguments = new String[3 + 2 * nodes.length];
    arguments[0] = "verify";
    arguments[1] = store().toString();
    arguments[2] = "--repair";
    for (int i = 0; i < nodes.length; i++) {
      arguments[3 + 2 * i] = "--node";
      arguments[4 + 2 * i] = nodes[i].toString();
    }
    return CommandRun.of(arguments);
  }

  @Test
  void theCopyOfANodeReplacesABadContainer() throws IOException {
    Path node = node("node", StoreNames.life(GROUP, birth));
    Checkpoints.flip(container(), IN_A_CHUNK);
    assertThat(CommandRun.of("verify", store().toString()).exit()).isEqualTo(ExitCodes.BAD);

    CommandRun run = repair(node);

    assertThat(run.exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(run.out())
        .contains("repaired: ", ": 1 chunk from a node", "all good")
        .doesNotContain("set aside");
    assertThat(Files.readAllBytes(container())).isEqualTo(good);
    assertThat(repair(node).out()).doesNotContain("repaired").contains("all good");
  }

  @Test
  void soDoesACopyThatAPartnerKeeps() throws IOException {
    Path empty = node("empty", StoreNames.life(new GroupId("digits", "other"), birth));
    Path partner = node("partner", StoreNames.copies(GROUP, birth));
    Files.delete(container());

    CommandRun run = repair(empty, partner);

    assertThat(run.exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(Files.readAllBytes(container())).isEqualTo(good);
  }

  /** The node has the rank's data in one container. */
  @Test
  void aLostPartIsWrittenAgain() throws IOException {
    Path lost;
    try (Checkpoints checkpoints = new Checkpoints(store())) {
      CheckpointId parted = checkpoints.writeInParts(GROUP, 1, 20);
      lost = store().resolve(StoreNames.file(parted, Parts.name(0, 1, 2)));
    }
    Path node = node("node", StoreNames.life(GROUP, birth));
    try (Checkpoints checkpoints =
        new Checkpoints(node.resolve(identity).resolve(StoreNames.life(GROUP, birth)))) {
      checkpoints.write(GROUP, 1, 1, 20, Ancestry.NONE);
    }
    assertThat(CommandRun.of("verify", store().toString()).exit()).isEqualTo(ExitCodes.GOOD);
    byte[] part = Files.readAllBytes(lost);
    Files.delete(lost);
    CommandRun bad = CommandRun.of("verify", store().toString());
    assertThat(bad.exit()).isEqualTo(ExitCodes.BAD);
    assertThat(bad.out()).contains("writer-r00000-part1of2.chunks");

    CommandRun run = repair(node);

    assertThat(run.exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(Files.readAllBytes(lost)).isEqualTo(part);
  }

  /** As a training leaves them that dies between two parts. */
  @Test
  void partsWithoutAManifestAreWholeOnlyTogether() throws IOException {
    CheckpointId parted = new CheckpointId(GROUP, 1, 20);
    try (Checkpoints checkpoints = new Checkpoints(store())) {
      checkpoints.writeInParts(GROUP, 1, 20);
    }
    Files.delete(store().resolve(StoreNames.file(parted, StoreNames.MANIFEST)));
    assertThat(CommandRun.of("verify", store().toString()).out())
        .contains("whole without a manifest: ");
    Files.delete(store().resolve(StoreNames.file(parted, Parts.name(0, 1, 2))));

    assertThat(CommandRun.of("verify", store().toString()).out())
        .doesNotContain("whole without a manifest");
  }

  @Test
  void withoutAGoodCopyTheDamageStays() throws IOException {
    Checkpoints.flip(container(), IN_A_CHUNK);
    byte[] bad = Files.readAllBytes(container());

    CommandRun run = repair();

    assertThat(run.exit()).isEqualTo(ExitCodes.BAD);
    assertThat(run.out()).contains("not repaired: ", "no node has another copy", "damaged: ");
    assertThat(Files.readAllBytes(container())).isEqualTo(bad);
  }

  @Test
  void aNodeOfAnotherStoreIsRefused() throws IOException {
    Checkpoints.flip(container(), IN_A_CHUNK);
    Path other = Files.createDirectories(directory.resolve("other"));

    CommandRun run = repair(other);

    assertThat(run.exit()).isEqualTo(ExitCodes.REFUSED);
    assertThat(run.err()).contains(other.toString());
  }
}
