package io.cairn.cache.chunk;

import io.cairn.core.model.Ancestry;
import io.cairn.core.model.ChunkNumbers;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * The regions and chunks of a complete checkpoint.
 *
 * @param size ranks of its group
 */
record Contents(
    List<RegionImage> images,
    Ancestry ancestry,
    Fingerprint program,
    int size,
    ChunkNumbers numbers) {
  static final Contents NONE = new Contents(List.of(), Ancestry.NONE, Fingerprint.NONE, 0);

  Contents(List<RegionImage> images, Ancestry ancestry, Fingerprint program, int size) {
    this(List.copyOf(images), ancestry, program, size, new ChunkNumbers(images));
  }

  static Contents of(
      CachedCheckpoint holder,
      List<RegionImage> images,
      Ancestry ancestry,
      Fingerprint program,
      int size) {
    for (RegionImage image : images) {
      if (image.chunkBytes() != holder.chunkBytes()) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%s: region %s in chunks of %d bytes, slots of %d",
                holder,
                image.name(),
                image.chunkBytes(),
                holder.chunkBytes()));
      }
    }
    Contents contents = new Contents(images, ancestry, program, size);
    int chunks = contents.numbers.all();
    if (chunks != holder.chunks() || chunks != holder.placed()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s: %d chunks in %d places of %d",
              holder,
              chunks,
              holder.placed(),
              holder.chunks()));
    }
    return contents;
  }

  /**
   * The number of a chunk of a region, if one of that name has the same shape here.
   *
   * @param region its number elsewhere, which is mostly its number here
   */
  OptionalInt numberOf(RegionImage image, int region, int chunk) {
    int here = region < images.size() && isNamed(region, image) ? region : indexOf(image);
    boolean sameShape =
        here >= 0
            && images.get(here).bytes() == image.bytes()
            && images.get(here).chunkBytes() == image.chunkBytes();
    return sameShape ? OptionalInt.of(numbers.of(here, chunk)) : OptionalInt.empty();
  }

  private int indexOf(RegionImage image) {
    int index = images.size() - 1;
    while (index >= 0 && !isNamed(index, image)) {
      index--;
    }
    return index;
  }

  private boolean isNamed(int region, RegionImage image) {
    return images.get(region).name().equals(image.name());
  }

  /** The chunks of one part, in order. */
  List<PlacedChunk> of(Part part) {
    List<PlacedChunk> chunks = new ArrayList<>(part.chunks());
    for (int region = 0; region < images.size(); region++) {
      RegionImage image = images.get(region);
      int start = numbers.of(region, 0);
      int from = Math.max(start, part.first());
      int end = Math.min(start + image.chunks(), part.end());
      for (int index = from; index < end; index++) {
        int chunk = index - start;
        chunks.add(
            new PlacedChunk(
                region,
                chunk,
                part.number(index),
                image.chunkLength(chunk),
                image.checksum(chunk)));
      }
    }
    return chunks;
  }
}
