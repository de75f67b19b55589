package io.cairn.core.layout;

/**
 * The part that a rank's region plays in the state of its group. A group may resume with another
 * number of ranks if every region is replicated or a slice. Immutable.
 */
public sealed interface Layout {
  /** The region belongs to its rank alone. A group of another size cannot resume from it. */
  record PerRank() implements Layout {}

  /** The region has the same bytes on every rank. */
  record Replicated() implements Layout {}

  /**
   * The region is a part of one array of the group, in row-major order.
   *
   * @param whole the array; begins at 0 in each dimension
   * @param part the elements of this rank; may be empty
   */
  record Slice(Box whole, Box part) implements Layout {
    /** Checks that the part lies in the array. */
    public Slice {
      for (int d = 0; d < whole.dimensions(); d++) {
        if (whole.offset(d) != 0) {
          throw new IllegalArgumentException("an array begins at 0 and not at " + whole);
        }
      }
      if (!whole.contains(part)) {
        throw new IllegalArgumentException(
            "slice %s does not lie in an array of %s: give offset and shape per dimension"
                .formatted(part, whole.shapeText()));
      }
    }
  }

  /** The layout of a region without another one. */
  static Layout perRank() {
    return new PerRank();
  }

  /** The layout of a region that every rank has. */
  static Layout replicated() {
    return new Replicated();
  }

  /**
   * The layout of a region that is a box of an array of the group. Each number counts elements.
   *
   * @param globalShape of the array, 1 to {@link Box#MAX_DIMENSIONS} dimensions
   * @param offset of the region in the array
   * @param shape of the region; its bytes are in row-major order
   * @throws IllegalArgumentException if the box does not lie in the array, or a number is negative
   *     or too great
   */
  static Layout slice(long[] globalShape, long[] offset, long[] shape) {
    return new Slice(Box.whole(globalShape), new Box(offset, shape));
  }
}
