package io.cairn.core.layout;

import io.cairn.internal.Box;
import java.io.IOException;
import java.util.Locale;

/**
 * Elements that lie in two boxes of one array, as runs of bytes from one box to the other. The runs
 * rise in the box that they come from. Immutable.
 */
public final class Overlap {
  private final Box from;
  private final Box into;
  private final Box part;
  private final int elementBytes;

  /** The dimensions before this one number the runs. */
  private final int inner;

  private final long runs;
  private final long runBytes;

  /** Takes one run of bytes. */
  @FunctionalInterface
  public interface Run {
    /**
     * One run.
     *
     * @param from its first byte in the box that it comes from
     * @param into its first byte in the other box
     * @param bytes its length, at least 1
     */
    void take(long from, long into, long bytes) throws IOException;
  }

  /**
   * The elements of a part.
   *
   * @param part lies in both boxes, and is not empty
   * @param elementBytes length of an element, at least 1
   * @throws IllegalArgumentException if the part does not lie in both, or has more bytes than a
   *     long counts
   */
  public Overlap(Box from, Box into, Box part, int elementBytes) {
    if (!from.contains(part) || !into.contains(part) || part.elements() == 0 || elementBytes < 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s with elements of %d bytes is no common part of %s and %s",
              part,
              elementBytes,
              from,
              into));
    }
    this.from = from;
    this.into = into;
    this.part = part;
    this.elementBytes = elementBytes;
    requireBytes(from);
    requireBytes(into);
    this.inner = inner();
    long elements = 1;
    for (int d = inner; d < part.dimensions(); d++) {
      elements *= part.length(d);
    }
    this.runBytes = elements * elementBytes;
    this.runs = part.elements() / elements;
  }

  private void requireBytes(Box box) {
    if (box.elements() > Long.MAX_VALUE / elementBytes) {
      throw new IllegalArgumentException(
          box + " with elements of " + elementBytes + " bytes is longer than can be counted");
    }
  }

  /** The last dimension that a run does not leave: all after it are whole in both boxes. */
  private int inner() {
    int d = part.dimensions() - 1;
    while (d > 0 && part.length(d) == from.length(d) && part.length(d) == into.length(d)) {
      d--;
    }
    return d;
  }

  /** Bytes of all runs. */
  public long bytes() {
    return runs * runBytes;
  }

  /** Whether a run touches a range of bytes of the box that it comes from. O(log runs). */
  public boolean touches(long firstByte, long endByte) {
    long run = firstEndingAfter(firstByte);
    return run < runs && start(run, from) < endByte;
  }

  /**
   * Takes the runs in a range of bytes of the box that they come from, cut off at its ends, in
   * their order. Allocates nothing. O(log runs + runs in the range).
   */
  public void forEach(long firstByte, long endByte, Run use) throws IOException {
    for (long run = firstEndingAfter(firstByte); run < runs; run++) {
      long start = start(run, from);
      if (start >= endByte) {
        return;
      }
      long skipped = Math.max(0, firstByte - start);
      long bytes = Math.min(runBytes, endByte - start) - skipped;
      use.take(start + skipped, start(run, into) + skipped, bytes);
    }
  }

  private long firstEndingAfter(long firstByte) {
    long low = 0;
    long high = runs;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (start(middle, from) + runBytes > firstByte) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** The first byte of a run in a box. */
  private long start(long run, Box box) {
    long element = 0;
    long stride = 1;
    long rest = run;
    for (int d = box.dimensions() - 1; d >= 0; d--) {
      long index = part.offset(d) - box.offset(d);
      if (d < inner) {
        index += rest % part.length(d);
        rest /= part.length(d);
      }
      element += index * stride;
      stride *= box.length(d);
    }
    return element * elementBytes;
  }
}
