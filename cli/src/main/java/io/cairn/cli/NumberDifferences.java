package io.cairn.cli;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Compares the numbers of two regions, in the byte order of this machine. The relative difference
 * is that to the number with the greater magnitude. O(1) memory; not thread-safe.
 */
final class NumberDifferences {
  private final Element element;
  private long compared;
  private long different;
  private long notNumbers;
  private @Nullable Largest absolute;
  private @Nullable Largest relative;

  /** Compares numbers of this kind. */
  NumberDifferences(Element element) {
    this.element = element;
  }

  /**
   * The largest difference.
   *
   * @param index of the number in its region, the first of its kind if several are equal
   * @param a the number in the first checkpoint
   * @param b the number in the second one
   */
  record Largest(double difference, long index, double a, double b) {}

  /**
   * The result.
   *
   * @param different numbers whose bits differ
   * @param notNumbers those of them of which one is NaN; they count for no difference
   * @param absolute null if no two numbers differ
   * @param relative null if no two numbers differ
   */
  record Summary(
      String element,
      long compared,
      long different,
      long notNumbers,
      @Nullable Largest absolute,
      @Nullable Largest relative) {}

  /** The result so far. */
  Summary summary() {
    return new Summary(element.label(), compared, different, notNumbers, absolute, relative);
  }

  /**
   * Compares all remaining bytes of two buffers, which are equally long.
   *
   * @param first index of their first number in the region
   */
  void compare(ByteBuffer a, ByteBuffer b, long first) {
    ByteBuffer one = a.slice().order(ByteOrder.nativeOrder());
    ByteBuffer other = b.slice().order(ByteOrder.nativeOrder());
    int numbers = one.limit() / element.bytes();
    compared += numbers;
    int mismatch = one.mismatch(other);
    if (mismatch < 0) {
      return;
    }
    for (int i = mismatch / element.bytes(); i < numbers; i++) {
      int at = i * element.bytes();
      if (!equal(one, other, at)) {
        different++;
        add(element.value(one, at), element.value(other, at), first + i);
      }
    }
  }

  private boolean equal(ByteBuffer one, ByteBuffer other, int at) {
    for (int i = at; i < at + element.bytes(); i++) {
      if (one.get(i) != other.get(i)) {
        return false;
      }
    }
    return true;
  }

  private void add(double a, double b, long index) {
    if (Double.isNaN(a) || Double.isNaN(b)) {
      notNumbers++;
      return;
    }
    double difference = Math.abs(a - b);
    absolute = larger(absolute, new Largest(difference, index, a, b));
    relative = larger(relative, new Largest(relative(difference, a, b), index, a, b));
  }

  private static double relative(double difference, double a, double b) {
    double scale = Math.max(Math.abs(a), Math.abs(b));
    if (scale == 0) {
      return 0;
    }
    return Double.isInfinite(scale) ? Double.POSITIVE_INFINITY : difference / scale;
  }

  private static Largest larger(@Nullable Largest known, Largest other) {
    return known == null || other.difference() > known.difference() ? other : known;
  }
}
