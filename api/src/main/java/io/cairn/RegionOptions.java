package io.cairn;

import java.util.Optional;

/**
 * How the levels below DEVICE treat a protected region, and its part in the state of its group.
 * Immutable.
 *
 * @param compression of its chunks at every level below DEVICE; empty for that of each level's
 *     setting, such as {@code store.codec}
 * @param loss the most by which a restored number may differ from the captured one; empty for a
 *     region that is restored bit for bit
 * @param layout lets a group of another number of ranks resume, unless it is per rank
 */
public record RegionOptions(
    Optional<Compression> compression, Optional<ErrorBound> loss, Layout layout) {
  /**
   * The region is restored bit for bit, compressed as the settings of each level say, and belongs
   * to its rank alone.
   */
  public static final RegionOptions DEFAULT =
      new RegionOptions(Optional.empty(), Optional.empty(), Layout.perRank());

  /** The same, with a compression of its own. */
  public RegionOptions withCompression(Compression own) {
    return new RegionOptions(Optional.of(own), loss, layout);
  }

  /**
   * The same, for floats or doubles that are restored within an error. Every level holds, and every
   * restore gives, numbers that are rounded to fewer significant bits. They shrink well under
   * {@link Compression#SHUFFLE_ZSTD}. The training's own memory is never rounded by a checkpoint.
   */
  public RegionOptions withLoss(ErrorBound bound) {
    return new RegionOptions(compression, Optional.of(bound), layout);
  }

  /** The same, with this layout. */
  public RegionOptions withLayout(Layout other) {
    return new RegionOptions(compression, loss, other);
  }
}
