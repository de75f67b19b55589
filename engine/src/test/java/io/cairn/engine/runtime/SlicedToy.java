package io.cairn.engine.runtime;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Layout;
import io.cairn.Region;
import io.cairn.RegionOptions;
import java.nio.ByteBuffer;

/**
 * One rank's part of a training whose state is one array, and a counter that every rank has. Each
 * element depends on its place in the array, so one that lands elsewhere shows.
 */
final class SlicedToy {
  static final int ROWS = 30;
  static final int COLUMNS = 700;

  /** How the ranks divide the array. */
  enum Split {
    ROWS,
    COLUMNS
  }

  private final int firstRow;
  private final int firstColumn;
  private final int columns;
  final float[] weights;
  long counter;

  SlicedToy(Split split, int rank, int size) {
    firstRow = split == Split.ROWS ? ROWS * rank / size : 0;
    int endRow = split == Split.ROWS ? ROWS * (rank + 1) / size : ROWS;
    firstColumn = split == Split.COLUMNS ? COLUMNS * rank / size : 0;
    columns = (split == Split.COLUMNS ? COLUMNS * (rank + 1) / size : COLUMNS) - firstColumn;
    weights = new float[(endRow - firstRow) * columns];
  }

  private int rows() {
    return weights.length / columns;
  }

  void protectBy(Checkpointer checkpointer) {
    checkpointer.protect(
        Region.of("weights", weights),
        RegionOptions.DEFAULT.withLayout(
            Layout.slice(
                new long[] {ROWS, COLUMNS},
                new long[] {firstRow, firstColumn},
                new long[] {rows(), columns})));
    checkpointer.protect(
        Region.of(
            "counter",
            () -> ByteBuffer.allocate(Long.BYTES).putLong(0, counter).array(),
            bytes -> counter = ByteBuffer.wrap(bytes).getLong()),
        RegionOptions.DEFAULT.withLayout(Layout.replicated()));
  }

  private void step(long iteration) {
    counter = counter * 31 + iteration;
    for (int i = 0; i < weights.length; i++) {
      int place = (firstRow + i / columns) * COLUMNS + firstColumn + i % columns;
      weights[i] = weights[i] * 0.99f + (counter % 1000) * 0.001f + place;
    }
  }

  /** Steps and checkpoints {@code from} to {@code to}, exclusive; the last ticket. */
  CheckpointTicket run(Checkpointer checkpointer, long from, long to) {
    CheckpointTicket last = null;
    for (long i = from; i < to; i++) {
      step(i);
      last = checkpointer.checkpoint(i);
      last.captured().join();
    }
    if (last == null) {
      throw new IllegalArgumentException("no iteration from " + from + " to " + to);
    }
    return last;
  }

  /** The same part of a training that nothing disturbed. */
  static SlicedToy undisturbed(Split split, int rank, int size, long iterations) {
    SlicedToy toy = new SlicedToy(split, rank, size);
    for (long i = 0; i < iterations; i++) {
      toy.step(i);
    }
    return toy;
  }
}
