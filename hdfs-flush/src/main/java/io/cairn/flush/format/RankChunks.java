package io.cairn.flush.format;

import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.RegionImage;
import java.util.List;

/**
 * One rank's part of a container that is to be written.
 *
 * @param rank the rank
 * @param images its regions as captured, whole
 * @param source where their chunks are read from
 * @param part which of the chunks this container is to hold; the others lie in other containers
 */
public record RankChunks(int rank, List<RegionImage> images, ChunkReader source, Part part) {
  /** Says which chunks are meant. */
  @FunctionalInterface
  public interface Part {
    /** Whether chunk {@code chunk} of region number {@code region} is. */
    boolean holds(int region, int chunk);
  }

  /** Copies the list. */
  public RankChunks {
    images = List.copyOf(images);
  }

  /** All of a rank's chunks. */
  public RankChunks(int rank, List<RegionImage> images, ChunkReader source) {
    this(rank, images, source, (region, chunk) -> true);
  }
}
