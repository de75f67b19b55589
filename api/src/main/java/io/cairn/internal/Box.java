package io.cairn.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * A box of elements in an array of 1 to {@link #MAX_DIMENSIONS} dimensions, in row-major order: the
 * last dimension is contiguous. A box may be empty. Immutable.
 */
public final class Box {
  /** The most dimensions of an array. */
  public static final int MAX_DIMENSIONS = 8;

  /** Between the numbers of a shape in its text, such as {@code 100x40}. */
  public static final String BY = "x";

  private final long[] offset;
  private final long[] shape;

  /**
   * A box; copies both arrays.
   *
   * @param offset the first element in each dimension, at least 0
   * @param shape the number of elements in each dimension, at least 0
   * @throws IllegalArgumentException naming both, if a number is negative, or an end or the number
   *     of elements exceeds a long. Also if the dimensions differ or are too many
   */
  public Box(long[] offset, long[] shape) {
    this.offset = offset.clone();
    this.shape = shape.clone();
    if (offset.length != shape.length || shape.length < 1 || shape.length > MAX_DIMENSIONS) {
      throw refused("has no 1 to " + MAX_DIMENSIONS + " dimensions in both");
    }
    for (int d = 0; d < shape.length; d++) {
      if (offset[d] < 0 || shape[d] < 0 || offset[d] > Long.MAX_VALUE - shape[d]) {
        throw refused("has a negative or too great number");
      }
    }
    try {
      // the strides must not overflow, even if another dimension is empty
      long unused =
          LongStream.of(shape).map(each -> Math.max(each, 1)).reduce(1, Math::multiplyExact);
    } catch (ArithmeticException e) {
      throw refused("has more elements than can be counted");
    }
  }

  private IllegalArgumentException refused(String reason) {
    return new IllegalArgumentException(
        "box at " + Arrays.toString(offset) + " of " + Arrays.toString(shape) + " " + reason);
  }

  /** A whole array of this shape. */
  public static Box whole(long... shape) {
    return new Box(new long[shape.length], shape);
  }

  /** How many dimensions it has. */
  public int dimensions() {
    return shape.length;
  }

  /** The first element in a dimension. */
  public long offset(int dimension) {
    return offset[dimension];
  }

  /** The number of elements in a dimension. */
  public long length(int dimension) {
    return shape[dimension];
  }

  private long end(int dimension) {
    return offset[dimension] + shape[dimension];
  }

  /** The number of all its elements. */
  public long elements() {
    return LongStream.of(shape).reduce(1, (all, each) -> all * each);
  }

  /** Whether it lies in this box, and has as many dimensions. */
  public boolean contains(Box other) {
    boolean inside = other.dimensions() == dimensions();
    for (int d = 0; inside && d < shape.length; d++) {
      inside = offset[d] <= other.offset[d] && other.end(d) <= end(d);
    }
    return inside;
  }

  /** The elements that both have, if there are any; both have as many dimensions. */
  public Optional<Box> intersect(Box other) {
    long[] first = new long[shape.length];
    long[] length = new long[shape.length];
    for (int d = 0; d < shape.length; d++) {
      first[d] = Math.max(offset[d], other.offset[d]);
      length[d] = Math.min(end(d), other.end(d)) - first[d];
      if (length[d] <= 0) {
        return Optional.empty();
      }
    }
    return Optional.of(new Box(first, length));
  }

  /** The elements that the other box lacks, as disjoint boxes: at most two per dimension. */
  public List<Box> minus(Box other) {
    Optional<Box> common = intersect(other);
    if (common.isEmpty()) {
      return elements() == 0 ? List.of() : List.of(this);
    }
    List<Box> rest = new ArrayList<>();
    Box left = this;
    for (int d = 0; d < shape.length; d++) {
      Box kept = common.get();
      left.part(d, left.offset[d], kept.offset[d]).ifPresent(rest::add);
      left.part(d, kept.end(d), left.end(d)).ifPresent(rest::add);
      left = left.part(d, kept.offset[d], kept.end(d)).orElseThrow();
    }
    return rest;
  }

  /** The part from one element of a dimension to before another; empty if there is none. */
  private Optional<Box> part(int dimension, long first, long end) {
    if (first >= end) {
      return Optional.empty();
    }
    long[] at = offset.clone();
    long[] of = shape.clone();
    at[dimension] = first;
    of[dimension] = end - first;
    return Optional.of(new Box(at, of));
  }

  /** The first element in each dimension. */
  public long[] offset() {
    return offset.clone();
  }

  /** The number of elements in each dimension. */
  public long[] shape() {
    return shape.clone();
  }

  /** The shape as text, such as {@code 100x40}. */
  public String shapeText() {
    return text(shape);
  }

  private static String text(long[] numbers) {
    return LongStream.of(numbers).mapToObj(String::valueOf).collect(Collectors.joining(BY));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Box that
        && Arrays.equals(offset, that.offset)
        && Arrays.equals(shape, that.shape);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(offset) + Arrays.hashCode(shape);
  }

  /** Such as {@code 0x20 of 100x20}: the offset, then the shape. */
  @Override
  public String toString() {
    return text(offset) + " of " + text(shape);
  }
}
