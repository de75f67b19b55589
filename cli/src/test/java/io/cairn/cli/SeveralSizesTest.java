package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.Ancestry;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A group whose line has checkpoints of four ranks and of two. */
class SeveralSizesTest {
  private static final GroupId GROUP = new GroupId("digits", "wave");

  @TempDir Path directory;

  @BeforeEach
  void write() throws IOException {
    try (Checkpoints checkpoints = new Checkpoints(directory)) {
      checkpoints.takeEpoch(GROUP);
      CheckpointId base = checkpoints.write(GROUP, 4, 1, 5, Ancestry.NONE);
      checkpoints.takeEpoch(GROUP);
      checkpoints.write(GROUP, 2, 2, 8, Ancestry.NONE.continuedFrom(base));
    }
  }

  @Test
  void listShowsTheRanksOfEach() {
    assertThat(CommandRun.of("list", directory.toString()).out())
        .containsPattern("1 +5 +alive +4/4")
        .containsPattern("2 +8 +alive +2/2");
  }

  @Test
  void verifyReadsTheRanksOfEach() {
    CommandRun run = CommandRun.of("verify", directory.toString());
    assertThat(run.exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(run.out()).contains("2 checkpoints in 1 group, 6 containers").contains("all good");
  }

  @Test
  void explainTakesTheNewestAndNamesThoseOfAnotherSize() {
    CommandRun run = CommandRun.of("explain", directory.toString(), "--group", "wave");
    assertThat(run.exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(run.out())
        .contains("digits/wave, 2 ranks: a restore takes e2-i8")
        .contains("Of another number of ranks, for regions with layouts only:")
        .contains("  e1-i5 of 4");
  }
}
