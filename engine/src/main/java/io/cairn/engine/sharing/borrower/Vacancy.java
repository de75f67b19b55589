package io.cairn.engine.sharing.borrower;

import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.LeasedPlaces;
import io.cairn.cache.chunk.Replacement;

/** Chunks of a checkpoint that need places. */
sealed interface Vacancy {
  CachedCheckpoint checkpoint();

  /** The number of the next one. */
  int next();

  int missing();

  /** Gives the next ones these places. */
  void add(LeasedPlaces places);

  /** The chunks that have no place yet. */
  record Unplaced(CachedCheckpoint checkpoint) implements Vacancy {
    @Override
    public int next() {
      return checkpoint.placed();
    }

    @Override
    public int missing() {
      return checkpoint.chunks() - checkpoint.placed();
    }

    @Override
    public void add(LeasedPlaces places) {
      checkpoint.add(places);
    }
  }

  /** The chunks of a lease that was lost while they were written. */
  record Lost(CachedCheckpoint checkpoint, Replacement by) implements Vacancy {
    @Override
    public int next() {
      return by.next();
    }

    @Override
    public int missing() {
      return by.missing();
    }

    @Override
    public void add(LeasedPlaces places) {
      by.add(places);
    }
  }
}
