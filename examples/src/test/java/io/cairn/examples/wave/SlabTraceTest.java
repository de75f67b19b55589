package io.cairn.examples.wave;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sizes of slabs are those of packed fields. */
class SlabTraceTest {
  private static final int STEPS = 100;
  private static final double BOUND = 1e-3;

  @TempDir Path directory;
  private final Shots shots = new Shots(Survey.plane(new Grid(61, 41, 20, 25), STEPS));

  private List<String> trace(int slabs) throws IOException {
    Path file = directory.resolve("trace.csv");
    SlabTrace.write(file, shots, new Source(300), slabs, BOUND);
    return Files.readAllLines(file);
  }

  @Test
  void oneSlabIsTheStateOfAMigration() throws IOException {
    List<String> lines = trace(1);
    assertThat(lines).hasSize(1 + STEPS).startsWith("snapshot,rank,bytes");
    Migration migration = shots.migration(new Source(300), BOUND);
    for (int step = 0; step < STEPS; step++) {
      assertThat(lines.get(1 + step))
          .isEqualTo(String.format(Locale.ROOT, "%d,0,%d", step, migration.readBytes("packed")));
      migration.step(step);
    }
  }

  @Test
  void theWaveReachesOneSlabAfterTheOther() throws IOException {
    List<String> lines = trace(3);
    assertThat(lines).hasSize(1 + 3 * STEPS);
    assertThat(bytes(lines, 30, 0)).isGreaterThan(bytes(lines, 30, 2));
    assertThat(bytes(lines, 99, 2)).isGreaterThan(bytes(lines, 30, 2));
  }

  private static long bytes(List<String> lines, int step, int slab) {
    String[] cells = lines.get(1 + 3 * step + slab).split(",", -1);
    assertThat(cells).startsWith(Integer.toString(step), Integer.toString(slab));
    return Long.parseLong(cells[2]);
  }
}
