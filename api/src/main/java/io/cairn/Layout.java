package io.cairn;

import io.cairn.internal.Box;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part that a rank's region plays in the state of its group. A group may resume with another
 * number of ranks if no region is {@linkplain #perRank() per rank}. Immutable.
 */
public final class Layout {
  private static final Layout PER_RANK = new Layout(Part.OWN);
  private static final Layout PER_RANK_OR_DROPPED = new Layout(Part.DROPPED);
  private static final Layout REPLICATED = new Layout(Part.REPLICATED);

  private enum Part {
    OWN,
    DROPPED,
    REPLICATED,
    SLICE
  }

  private final Part kind;

  /** Of a slice: the array, and the elements of this rank. */
  private final Optional<Box> whole;

  private final Optional<Box> part;

  private Layout(Part kind) {
    this(kind, Optional.empty(), Optional.empty());
  }

  private Layout(Part kind, Optional<Box> whole, Optional<Box> part) {
    this.kind = kind;
    this.whole = whole;
    this.part = part;
  }

  /** The region belongs to its rank alone. A group of another size cannot resume from it. */
  public static Layout perRank() {
    return PER_RANK;
  }

  /**
   * The region belongs to its rank alone, such as the state of a random generator. A rank resumes
   * without it from another number of ranks, or if its own slices were others. The region then
   * keeps its bytes, and {@link RestoreReport#dropped} names it. A rank with the slices that it had
   * restores it, even if those of other ranks changed.
   */
  public static Layout perRankOrDropped() {
    return PER_RANK_OR_DROPPED;
  }

  /** The region has the same bytes on every rank. */
  public static Layout replicated() {
    return REPLICATED;
  }

  /**
   * The region is a box of one array of the group, in row-major order. Each number counts elements.
   *
   * @param globalShape of the array, 1 to 8 dimensions
   * @param offset of the region in the array
   * @param shape of the region; may be empty
   * @throws IllegalArgumentException if the box does not lie in the array, or a number is negative
   *     or too great
   */
  public static Layout slice(long[] globalShape, long[] offset, long[] shape) {
    Box whole = Box.whole(globalShape);
    Box part = new Box(offset, shape);
    if (!whole.contains(part)) {
      throw new IllegalArgumentException(
          "slice %s does not lie in an array of %s: give offset and shape per dimension"
              .formatted(part, whole.shapeText()));
    }
    return new Layout(Part.SLICE, Optional.of(whole), Optional.of(part));
  }

  /** Whether the region belongs to its rank alone, and keeps the group from another size. */
  public boolean isPerRank() {
    return kind == Part.OWN;
  }

  /** Whether a group of another size resumes without the region. */
  public boolean mayBeDropped() {
    return kind == Part.DROPPED;
  }

  /** Whether every rank has the same bytes. */
  public boolean isReplicated() {
    return kind == Part.REPLICATED;
  }

  /** Whether the region is a part of one array. */
  public boolean isSlice() {
    return kind == Part.SLICE;
  }

  /**
   * The shape of the array that the region is a part of.
   *
   * @throws IllegalStateException if it is no slice
   */
  public long[] globalShape() {
    return of(whole).shape();
  }

  /**
   * The first element of the region in each dimension.
   *
   * @throws IllegalStateException if it is no slice
   */
  public long[] offset() {
    return of(part).offset();
  }

  /**
   * The number of elements of the region in each dimension.
   *
   * @throws IllegalStateException if it is no slice
   */
  public long[] shape() {
    return of(part).shape();
  }

  private Box of(Optional<Box> box) {
    return box.orElseThrow(
        () -> new IllegalStateException("a region that is " + this + " is no slice"));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Layout that
        && kind == that.kind
        && whole.equals(that.whole)
        && part.equals(that.part);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * kind.hashCode() + whole.hashCode()) + part.hashCode();
  }

  @Override
  public String toString() {
    return switch (kind) {
      case OWN -> "per rank";
      case DROPPED -> "per rank or dropped";
      case REPLICATED -> "replicated";
      case SLICE -> "a slice at " + part.orElseThrow() + " of " + whole.orElseThrow().shapeText();
    };
  }
}
