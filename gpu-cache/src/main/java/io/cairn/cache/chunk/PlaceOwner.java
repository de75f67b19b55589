package io.cairn.cache.chunk;

import java.util.List;

/** Whom places belong to; it numbers them. */
interface PlaceOwner {
  Place place(int number);

  /**
   * Takes places back. Under the cache's lock; what must not run under it is added to {@code
   * later}.
   */
  void giveBack(int[] numbers, List<Runnable> later);
}
