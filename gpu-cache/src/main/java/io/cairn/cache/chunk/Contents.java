package io.cairn.cache.chunk;

import io.cairn.core.model.Ancestry;
import io.cairn.core.model.RegionImage;
import java.util.ArrayList;
import java.util.List;

/** What a complete checkpoint holds; {@code first.get(r)} is the slot of region r's first chunk. */
record Contents(List<RegionImage> images, Ancestry ancestry, List<Integer> first) {
  static final Contents NONE = new Contents(List.of(), Ancestry.NONE, List.of());

  static Contents of(CachedCheckpoint holder, List<RegionImage> images, Ancestry ancestry) {
    List<Integer> first = new ArrayList<>(images.size());
    int chunks = 0;
    for (RegionImage image : images) {
      if (image.chunkBytes() != holder.chunkBytes()) {
        throw new IllegalArgumentException(
            "%s: region %s in chunks of %d bytes, slots of %d"
                .formatted(holder, image.name(), image.chunkBytes(), holder.chunkBytes()));
      }
      first.add(chunks);
      chunks += image.chunks();
    }
    if (chunks != holder.slots()) {
      throw new IllegalArgumentException(
          "%s: %d chunks in %d slots".formatted(holder, chunks, holder.slots()));
    }
    return new Contents(List.copyOf(images), ancestry, first);
  }
}
