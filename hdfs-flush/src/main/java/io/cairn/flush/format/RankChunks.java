package io.cairn.flush.format;

import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.RegionImage;
import java.util.List;

/**
 * One rank's part of a container that is to be written.
 *
 * @param rank the rank
 * @param images its regions as captured
 * @param source where their chunks are read from
 */
public record RankChunks(int rank, List<RegionImage> images, ChunkReader source) {
  /** Copies the list. */
  public RankChunks {
    images = List.copyOf(images);
  }
}
