package io.cairn.cache.chunk;

import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Reads a checkpoint's chunks from wherever they lie. */
record PlacedReader(CachedCheckpoint checkpoint, Contents contents) implements ChunkReader {
  @Override
  public void read(int region, int chunk, ByteBuffer into) throws IOException {
    RegionImage image = contents.images().get(region);
    int length = image.chunkLength(Objects.checkIndex(chunk, image.chunks()));
    int index = contents.first().get(region) + chunk;
    Part part = checkpoint.beginRead(index);
    try {
      copy(part.place(index), length, into);
    } finally {
      checkpoint.endRead(part);
    }
  }

  /** Copies to the buffer's position on and advances it; waits until the copy has landed. */
  static void copy(Place place, int length, ByteBuffer into) throws IOException {
    int end = into.position() + length;
    int limit = into.limit();
    into.limit(end);
    try {
      place.engine().copyToHostAsync(place.address().slice(0, length), into).awaitLanding();
    } finally {
      into.limit(limit);
    }
    into.position(end);
  }
}
