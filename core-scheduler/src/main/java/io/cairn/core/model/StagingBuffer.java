package io.cairn.core.model;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Native memory that the chunks of checkpoints pass through. It is allocated at its first use, and
 * again when chunks are longer; it is never longer than the longest chunk. Not thread-safe.
 */
public final class StagingBuffer {
  private ByteBuffer bytes = ByteBuffer.allocate(0);

  /** The buffer, with room for each chunk of these regions. Its content is undefined. */
  public ByteBuffer forChunksOf(List<RegionImage> images) {
    int longest = 0;
    for (RegionImage image : images) {
      longest = Math.max(longest, image.chunks() == 0 ? 0 : image.chunkLength(0));
    }
    if (longest > bytes.capacity()) {
      bytes = ByteBuffer.allocateDirect(longest);
    }
    return bytes;
  }
}
