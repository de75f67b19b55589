package io.cairn.flush.restore;

import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.RegionImage;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * A readable copy of one rank's data of one checkpoint. Its images are trusted to be those of the
 * checkpoint; its chunks are not, they are compared with the images. Not thread-safe.
 *
 * @param describe where it is, for people
 * @param images the rank's regions
 * @param reader their chunks
 * @param resource what is to be closed after use
 */
public record Copy(
    String describe, List<RegionImage> images, ChunkReader reader, Closeable resource)
    implements Closeable {
  /** Copies the list. */
  public Copy {
    images = List.copyOf(images);
  }

  @Override
  public void close() throws IOException {
    resource.close();
  }
}
