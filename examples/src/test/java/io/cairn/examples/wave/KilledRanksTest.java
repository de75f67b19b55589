package io.cairn.examples.wave;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process with four ranks of a migration is killed again and again; the image stays the same. */
class KilledRanksTest {
  private static final int STEPS = 100;
  private static final int BETWEEN = 20;
  private static final long SEED = 4;

  @TempDir Path root;

  /** In the order in which a run passes them: each shot's forward phase, then its backward one. */
  private static List<WaveRun.Kill> moments() {
    List<WaveRun.Kill> all = new ArrayList<>();
    for (int shot = 0; shot < Survey.plane(STEPS).sources().size(); shot++) {
      for (int step = 0; step < STEPS; step += BETWEEN) {
        all.add(new WaveRun.Kill("forward", shot, step));
      }
      for (int step = STEPS - BETWEEN; step >= 0; step -= BETWEEN) {
        all.add(new WaveRun.Kill("backward", shot, step));
      }
    }
    return all;
  }

  private static List<WaveRun.Kill> seeded(int kills) {
    SplittableRandom random = new SplittableRandom(SEED);
    List<WaveRun.Kill> all = moments();
    while (all.size() > kills) {
      all.remove(random.nextInt(all.size()));
    }
    return all;
  }

  @Test
  @Tag("proof")
  @Timeout(900)
  void fiftyKills() throws IOException, InterruptedException {
    List<String> events = new ArrayList<>();
    new WaveRun(root, new WaveRun.Size(2, STEPS, 4, 0, 4), seeded(50), events::add).complete();
    assertThat(events).filteredOn(event -> event.startsWith("killed")).hasSize(50);
    Shots shots = new Shots(Survey.plane(STEPS));
    Stack expected = new Stack(shots.survey().grid());
    for (Source source : shots.survey().sources()) {
      Migration migration = shots.migration(source);
      Shots.runInMemory(migration, STEPS);
      expected.add(migration.image(), migration.illumination());
    }
    assertThat(Files.readAllBytes(root.resolve("image"))).isEqualTo(expected.bytes());
  }
}
