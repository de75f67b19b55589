package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.Ancestry;
import io.cairn.flush.format.StoreNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bad copies that a repair set aside are named, and are no damage. */
class SetAsideTest {
  private static final GroupId GROUP = new GroupId("digits", "fold-0");
  private static final String BAD = StoreNames.quarantined(StoreNames.container(0));

  @TempDir Path directory;

  @BeforeEach
  void write() throws IOException {
    try (Checkpoints checkpoints = new Checkpoints(directory)) {
      CheckpointId id = checkpoints.write(GROUP, 1, 1, 10, Ancestry.NONE);
      Files.writeString(directory.resolve(StoreNames.file(id, BAD)), "bad");
    }
  }

  @Test
  void listNamesThem() {
    CommandRun run = CommandRun.of("list", directory.toString());

    assertThat(run.out()).contains("bad, set aside: digits/fold-0/").contains(BAD);
  }

  @Test
  void explainSaysWhetherAGoodOneTookTheirPlace() throws IOException {
    String alone = StoreNames.quarantined(StoreNames.container(1));
    Files.writeString(
        directory.resolve(StoreNames.file(new CheckpointId(GROUP, 1, 10), alone)), "bad");

    CommandRun run = CommandRun.of("explain", directory.toString(), "--group", "fold-0");
    CommandRun asJson =
        CommandRun.of("explain", directory.toString(), "--group", "fold-0", "--json");

    assertThat(run.out())
        .contains("Bad, set aside:")
        .contains("e1-i10 at STORE: " + BAD + ", replaced by a good copy")
        .contains("e1-i10 at STORE: " + alone + ", not replaced");
    assertThat(asJson.out()).containsPattern("\"setAside\"").contains(BAD, alone, "\"replaced\"");
  }

  @Test
  void verifyNamesThemAndDoesNotReadThem() {
    CommandRun run = CommandRun.of("verify", directory.toString());

    assertThat(run.exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(run.out()).contains("bad, set aside: ").contains(BAD).contains("all good");
  }
}
