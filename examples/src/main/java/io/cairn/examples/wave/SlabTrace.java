package io.cairn.examples.wave;

import io.cairn.cli.Progress;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** How many bytes ranks would keep at each step, if each had a slab of the columns. */
final class SlabTrace {
  private SlabTrace() {}

  /**
   * Writes snapshot, rank and bytes of a shot's fields as CSV, packed slab by slab.
   *
   * @param bound the largest error of a value, as a part of the largest value so far
   */
  static void write(Path file, Shots shots, double sourceX, int slabs, double bound)
      throws IOException {
    int steps = shots.survey().steps();
    Grid grid = shots.survey().grid();
    int[] starts = new int[slabs + 1];
    Arrays.setAll(starts, slab -> grid.width() * slab / slabs * grid.height());
    List<PackedField> packed =
        IntStream.range(0, slabs)
            .mapToObj(slab -> new PackedField(starts[slab + 1] - starts[slab]))
            .toList();
    Migration migration = shots.migration(sourceX);
    double largest = 0;
    try (BufferedWriter out = Files.newBufferedWriter(file);
        Progress progress = Progress.counting("trace", steps, "step")) {
      out.write("snapshot,rank,bytes\n");
      for (int step = 0; step < steps; step++) {
        float[] field = migration.field();
        for (float value : field) {
          largest = Math.max(largest, Math.abs(value));
        }
        for (int slab = 0; slab < slabs; slab++) {
          PackedField part = packed.get(slab);
          part.pack(Arrays.copyOfRange(field, starts[slab], starts[slab + 1]), bound * largest);
          out.write("%d,%d,%d\n".formatted(step, slab, part.length()));
        }
        migration.step(step);
        progress.advance(1);
      }
    }
  }
}
