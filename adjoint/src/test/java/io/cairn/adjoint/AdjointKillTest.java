package io.cairn.adjoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process is killed at seeded random calls of its program, in both phases, and started again
 * until it ends. The result is the undisturbed one, bit for bit.
 */
class AdjointKillTest {
  private static final long SEED = 23;
  private static final int MOST_CALLS = 120;

  @TempDir Path root;

  @Test
  @Timeout(300)
  void aKillInEachPhase() throws Exception {
    killInEachPhase("storeAll");
    killInEachPhase("revolve");
  }

  /** The first life ends among the 80 steps forward, and the second one after them. */
  private void killInEachPhase(String schedule) throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    Path here = Files.createDirectories(root.resolve(schedule));
    String when = String.format(Locale.ROOT, "seed %d, %s", SEED, schedule);
    assertThat(ends(here, schedule, random.nextInt(1, 40), when)).isFalse();
    assertThat(ends(here, schedule, random.nextInt(90, MOST_CALLS), when)).isFalse();
    assertThat(ends(here, schedule, -1, when)).isTrue();
  }

  @Test
  @Tag("proof")
  void fiftyKills() throws Exception {
    kill(25, "storeAll");
    kill(25, "revolve");
  }

  private void kill(int times, String schedule) throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    int kills = 0;
    for (int run = 0; kills < times; run++) {
      Path here = Files.createDirectories(root.resolve(schedule + run));
      String when = String.format(Locale.ROOT, "seed %d, %s, run %d", SEED, schedule, run);
      while (!ends(here, schedule, kills < times ? random.nextInt(1, MOST_CALLS) : -1, when)) {
        kills++;
      }
    }
  }

  /** Whether it ended before so many calls; otherwise it was killed. */
  private static boolean ends(Path here, String schedule, int calls, String when)
      throws IOException, InterruptedException {
    try (ChildProcess process =
        Command.java(KilledAdjoint.class, here, schedule)
            .small(64)
            .errorsTo(here.resolve("errors"))
            .start()) {
      for (int call = 0; call != calls; call++) {
        String line = process.line(ChildProcess.PATIENCE).orElse("no line");
        if (!line.equals("call")) {
          assertThat(line).as(when).startsWith("exact true");
          return true;
        }
      }
      process.kill();
      return false;
    }
  }
}
