package io.cairn.flush.restore;

import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * A readable copy of one rank's data of one checkpoint. Its images are trusted. Its chunks are not:
 * they are compared with the images. Not thread-safe.
 *
 * @param describe location, for people
 * @param images the rank's regions
 * @param program wrote it; empty if that is not known
 * @param reader reads their chunks
 * @param resource closed after use
 */
public record Copy(
    String describe,
    List<RegionImage> images,
    Fingerprint program,
    ChunkReader reader,
    Closeable resource)
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
