package io.cairn.flush.restore;

import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.RegionImage;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Memory that takes verified chunks until the application's memory may be written, so that they are
 * read from their copies once. Thread-safe.
 */
@FunctionalInterface
public interface Landing {
  /** Without such memory, every chunk is read twice. */
  Landing NONE = images -> Optional.empty();

  /**
   * Takes memory for all chunks of these regions.
   *
   * @return memory that the caller closes; empty if there is none to spare
   */
  Optional<Landed> take(List<RegionImage> images);

  /** A checkpoint in such memory. Safe for threads that use different chunks. */
  interface Landed extends AutoCloseable {
    /** A view of the place of a chunk, by the chunk's number; exactly as long as the chunk. */
    ByteBuffer place(int number);

    /**
     * Reads the verified chunks that were put there; for any number of threads. {@linkplain
     * ChunkReader#verifies Verifies}: nobody else writes that memory.
     */
    ChunkReader reader();

    /** Gives the memory back. Idempotent. */
    @Override
    void close();
  }
}
