package io.cairn.examples.wave;

import io.cairn.adjoint.PackedField;
import io.cairn.cli.Progress;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** How many bytes ranks would keep at each step, if each had a slab of the grid. */
final class SlabTrace {
  private SlabTrace() {}

  /**
   * Writes snapshot, rank and bytes of a shot's fields as CSV, packed slab by slab.
   *
   * @param bound the largest error of a value, as a part of the largest value so far
   */
  static void write(Path file, Shots shots, Source source, int slabs, double bound)
      throws IOException {
    int steps = shots.survey().steps();
    Grid grid = shots.survey().grid();
    List<GridSlab> cut =
        IntStream.range(0, slabs).mapToObj(i -> GridSlab.of(grid, i, slabs)).toList();
    List<PackedField> packed = cut.stream().map(slab -> new PackedField(slab.cells())).toList();
    Migration migration = shots.migration(source);
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
          int from = cut.get(slab).firstColumn() * grid.height();
          int to = cut.get(slab).endColumn() * grid.height();
          part.pack(Arrays.copyOfRange(field, from, to), bound * largest);
          out.write(String.format(Locale.ROOT, "%d,%d,%d\n", step, slab, part.length()));
        }
        migration.step(step);
        progress.advance(1);
      }
    }
  }
}
