package io.cairn.core.session;

import java.util.Optional;

/**
 * How the levels below DEVICE treat a protected region. Immutable.
 *
 * @param compression of its chunks at every level below DEVICE; empty for that of each level's
 *     setting, such as {@code store.codec}
 */
public record RegionOptions(Optional<Compression> compression) {
  /** The region is treated as the settings of each level say. */
  public static final RegionOptions DEFAULT = new RegionOptions(Optional.empty());

  /** The same, with a compression of its own. */
  public RegionOptions withCompression(Compression own) {
    return new RegionOptions(Optional.of(own));
  }
}
