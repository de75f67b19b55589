package io.cairn.core.session;

import io.cairn.core.layout.Layout;
import java.util.Optional;

/**
 * How the levels below DEVICE treat a protected region, and its part in the state of its group.
 * Immutable.
 *
 * @param compression of its chunks at every level below DEVICE; empty for that of each level's
 *     setting, such as {@code store.codec}
 * @param layout lets a group of another number of ranks resume, unless it is per rank
 */
public record RegionOptions(Optional<Compression> compression, Layout layout) {
  /** The region is treated as the settings of each level say, and belongs to its rank alone. */
  public static final RegionOptions DEFAULT = new RegionOptions(Optional.empty(), Layout.perRank());

  /** The same, with a compression of its own. */
  public RegionOptions withCompression(Compression own) {
    return new RegionOptions(Optional.of(own), layout);
  }

  /** The same, with this layout. */
  public RegionOptions withLayout(Layout other) {
    return new RegionOptions(compression, other);
  }
}
