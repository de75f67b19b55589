package io.cairn.flush.format;

import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.RegionImage;
import java.util.List;

/**
 * The chunks of one rank for one container.
 *
 * @param rank the rank
 * @param images all regions of the rank as captured
 * @param source reads their chunks
 * @param part selects the chunks of this container; other containers hold the others
 */
public record RankChunks(int rank, List<RegionImage> images, ChunkReader source, Part part) {
  /** Selects chunks. */
  @FunctionalInterface
  public interface Part {
    /** Whether chunk {@code chunk} of region number {@code region} is selected. */
    boolean holds(int region, int chunk);
  }

  /** Copies the list. */
  public RankChunks {
    images = List.copyOf(images);
  }

  /** Selects all chunks of a rank. */
  public RankChunks(int rank, List<RegionImage> images, ChunkReader source) {
    this(rank, images, source, (region, chunk) -> true);
  }
}
