package io.cairn.adjoint.history;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * In which object each chunk lies, and where there. The ledger's monitor guards changes. A thread
 * reads those chunks alone that it learned of under that monitor, so a read needs no lock.
 */
final class StoredPlaces {
  private static final class Table {
    final @Nullable StoredBatch[] batches;
    final int[] places;

    Table(@Nullable StoredBatch[] batches, int[] places) {
      this.batches = batches;
      this.places = places;
    }
  }

  /** Grows with the chunks that were in use at once. */
  private volatile Table table = new Table(new StoredBatch[0], new int[0]);

  /** A chunk lies behind those that the object has. */
  void append(int chunk, StoredBatch batch) {
    put(chunk, batch, batch.chunks++);
  }

  /** A chunk lies at this place of an object. */
  void put(int chunk, StoredBatch batch, int place) {
    Table now = table;
    if (chunk >= now.places.length) {
      int length = Math.max(chunk + 1, 2 * now.places.length);
      now = new Table(Arrays.copyOf(now.batches, length), Arrays.copyOf(now.places, length));
    }
    now.batches[chunk] = batch;
    now.places[chunk] = place;
    table = now;
    batch.needed++;
  }

  /** Nobody needs a chunk; returns the object that had it. */
  StoredBatch remove(int chunk) {
    StoredBatch batch = batch(chunk);
    table.batches[chunk] = null;
    batch.needed--;
    return batch;
  }

  StoredBatch batch(int chunk) {
    return Objects.requireNonNull(table.batches[chunk]);
  }

  int place(int chunk) {
    return table.places[chunk];
  }

  boolean follows(int chunk, int next) {
    return batch(chunk) == batch(next) && place(next) == place(chunk) + 1;
  }
}
