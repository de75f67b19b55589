package io.cairn.engine.sharing.peer;

import io.cairn.core.model.RegionImage;
import java.util.List;

/**
 * The numbers of chunks in their rank's checkpoint: the first region's, then the next region's, and
 * so on. Immutable.
 */
public final class ChunkNumbers {
  private final int[] first;
  private final int all;

  /**
   * The numbers in these regions.
   *
   * @throws ArithmeticException if they are more than an int counts
   */
  public ChunkNumbers(List<RegionImage> images) {
    first = new int[images.size()];
    int next = 0;
    for (int region = 0; region < first.length; region++) {
      first[region] = next;
      next = Math.addExact(next, images.get(region).chunks());
    }
    all = next;
  }

  /** The number of chunk {@code chunk} of region number {@code region}. */
  public int of(int region, int chunk) {
    return first[region] + chunk;
  }

  /** How many there are. */
  public int all() {
    return all;
  }
}
