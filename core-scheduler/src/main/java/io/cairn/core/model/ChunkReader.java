package io.cairn.core.model;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads the chunks of one rank's checkpoint. The writer of the next level and the restore into the
 * application's memory use it, so that neither depends on the holder of the bytes.
 */
@FunctionalInterface
public interface ChunkReader {
  /**
   * Puts chunk {@code chunk} of region number {@code region} into {@code into}, from its position
   * on, and advances the position by the chunk's length. Does not verify it.
   *
   * @throws IOException naming the source that could not be read
   */
  void read(int region, int chunk, ByteBuffer into) throws IOException;
}
