package io.cairn.core.model;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

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

  /** The region of a chunk, by the chunk's number. O(log regions). */
  public int region(int number) {
    Objects.checkIndex(number, all);
    int found = Arrays.binarySearch(first, number);
    int region = found >= 0 ? found : -found - 2;
    // an empty region begins where the next one does
    while (region + 1 < first.length && first[region + 1] == first[region]) {
      region++;
    }
    return region;
  }

  /** The number of a chunk within its region, by the chunk's number. O(log regions). */
  public int chunk(int number) {
    return number - first[region(number)];
  }

  /** How many there are. */
  public int all() {
    return all;
  }
}
