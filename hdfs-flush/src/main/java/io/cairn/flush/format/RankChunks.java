package io.cairn.flush.format;

import io.cairn.Compression;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionEntries;
import io.cairn.core.model.RegionImage;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The chunks of one rank for one container.
 *
 * @param rank the rank
 * @param images all regions of the rank as captured
 * @param source reads their chunks
 * @param part selects the chunks of this container; other containers hold the others
 * @param compressions of the regions that ask for one, by name
 */
public record RankChunks(
    int rank,
    List<RegionImage> images,
    ChunkReader source,
    Part part,
    Map<String, Compression> compressions) {
  /** Selects chunks. */
  @FunctionalInterface
  public interface Part {
    /** Whether chunk {@code chunk} of region number {@code region} is selected. */
    boolean holds(int region, int chunk);
  }

  /** Copies list and map. */
  public RankChunks {
    images = List.copyOf(images);
    compressions = Map.copyOf(compressions);
  }

  /** Selects chunks of regions that ask for no compression. */
  public RankChunks(int rank, List<RegionImage> images, ChunkReader source, Part part) {
    this(rank, images, source, part, Map.of());
  }

  /** Selects all chunks of a rank. */
  public RankChunks(int rank, List<RegionImage> images, ChunkReader source) {
    this(rank, images, source, (region, chunk) -> true);
  }

  /** The same chunks, for regions that ask for a compression by their program's fingerprint. */
  public RankChunks writtenBy(Fingerprint program) {
    return new RankChunks(rank, images, source, part, RegionEntries.compressions(program));
  }

  /** The compression of a region, by its number. */
  Compression compression(int region, Compression otherwise) {
    return compressions.getOrDefault(images.get(region).name(), otherwise);
  }

  /** Whether any region is compressed. */
  boolean compresses(Compression otherwise) {
    return IntStream.range(0, images.size())
        .anyMatch(region -> compression(region, otherwise) != Compression.NONE);
  }
}
