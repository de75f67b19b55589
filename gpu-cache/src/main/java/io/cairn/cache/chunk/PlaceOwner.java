package io.cairn.cache.chunk;

import java.util.List;

/** The owner of places, which it numbers. */
interface PlaceOwner {
  Place place(int number);

  /**
   * Takes places back. Under the cache's lock; adds to {@code later} the work that must not run
   * under it.
   */
  void giveBack(int[] numbers, List<Runnable> later);
}
