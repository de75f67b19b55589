package io.cairn.core.model;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads the chunks of one rank's checkpoint, wherever they lie. The next level is written from it,
 * and the application's memory is restored from it, so that neither knows what holds the bytes.
 */
@FunctionalInterface
public interface ChunkReader {
  /**
   * Puts chunk {@code chunk} of region number {@code region} into {@code into}, from its position
   * on, and advances the position by the chunk's length. Does not verify it.
   *
   * @throws IOException naming what could not be read
   */
  void read(int region, int chunk, ByteBuffer into) throws IOException;
}
