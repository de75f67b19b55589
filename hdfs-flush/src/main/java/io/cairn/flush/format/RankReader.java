package io.cairn.flush.format;

import io.cairn.CheckpointId;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.ContentHash;
import io.cairn.core.model.OpenParts;
import io.cairn.core.model.RegionImage;
import io.cairn.flush.codec.ChunkDecoder;
import io.cairn.flush.store.ReadableStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads one rank's chunks from all containers that hold some of them. Opening verifies that the
 * containers together hold every chunk. Not thread-safe.
 */
public final class RankReader implements ChunkReader, Closeable {
  private final int rank;
  private final List<ContainerReader> containers = new ArrayList<>();

  private RankReader(int rank) {
    this.rank = rank;
  }

  /**
   * Opens a rank's containers.
   *
   * @param expected the manifest's entries for them, at least one
   * @throws FormatException as {@link ContainerReader#open} does; also if the containers contradict
   *     each other, none holds some chunk, or two {@link Parts} hold the same
   */
  public static RankReader open(
      ReadableStore store, CheckpointId id, int rank, List<ContainerSummary> expected)
      throws IOException {
    ChunkDecoder decoder = new ChunkDecoder(); // a chunk is used before the next one is decoded
    try (OpenParts open = new OpenParts()) {
      RankReader reader = open.add(new RankReader(rank));
      for (ContainerSummary container : expected) {
        reader.containers.add(ContainerReader.open(store, id, container, decoder));
      }
      String where = store.describe() + "/" + StoreNames.checkpoint(id);
      reader.requireWhole(where);
      if (expected.stream().anyMatch(container -> Parts.isPart(container.file()))) {
        reader.requireApart(where);
      }
      return open.keep(reader);
    }
  }

  private void requireWhole(String where) throws FormatException {
    for (ContainerReader container : containers) {
      if (!container.images(rank).equals(images())) {
        throw new FormatException(
            where, 0, "containers of rank " + rank + " differ in their regions or checksums");
      }
    }
    for (int region = 0; region < images().size(); region++) {
      RegionImage image = images().get(region);
      for (int chunk = 0; chunk < image.chunks(); chunk++) {
        if (holder(region, chunk) < 0) {
          throw new FormatException(
              where,
              0,
              String.format(
                  Locale.ROOT,
                  "no container of rank %d holds chunk %d of region %s",
                  rank,
                  chunk,
                  image.name()));
        }
      }
    }
  }

  /** Parts are written at once, so two of them with the same chunk are not of one checkpoint. */
  private void requireApart(String where) throws FormatException {
    for (int region = 0; region < images().size(); region++) {
      RegionImage image = images().get(region);
      for (int chunk = 0; chunk < image.chunks(); chunk++) {
        int holders = 0;
        for (ContainerReader container : containers) {
          holders += container.holds(rank, region, chunk) ? 1 : 0;
        }
        if (holders > 1) {
          throw new FormatException(
              where,
              0,
              String.format(
                  Locale.ROOT,
                  "%d parts of rank %d hold chunk %d of region %s: they overlap, so they were not"
                      + " written together",
                  holders,
                  rank,
                  chunk,
                  image.name()));
        }
      }
    }
  }

  private int holder(int region, int chunk) {
    for (int index = 0; index < containers.size(); index++) {
      if (containers.get(index).holds(rank, region, chunk)) {
        return index;
      }
    }
    return -1;
  }

  /** The rank's regions, in the order of capture. */
  public List<RegionImage> images() {
    return containers.get(0).images(rank);
  }

  @Override
  public void read(int region, int chunk, ByteBuffer into) throws IOException {
    containers.get(holder(region, chunk)).chunks(rank).read(region, chunk, into);
  }

  @Override
  public Optional<ContentHash> hash(int region, int chunk) {
    return containers.get(holder(region, chunk)).hash(rank, region, chunk);
  }

  @Override
  public void close() throws IOException {
    OpenParts.closeAll(containers);
  }
}
