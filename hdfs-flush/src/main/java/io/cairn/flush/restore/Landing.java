package io.cairn.flush.restore;

import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ReadAhead;
import io.cairn.core.model.RegionImage;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

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
    /**
     * Reads chunks into their places, or through buffers if the host does not map the places.
     *
     * @param numbers of the chunks that one thread reads, in their order
     * @param staging makes a buffer for the longest chunk
     */
    ReadAhead arrivals(int[] numbers, Supplier<ByteBuffer> staging);

    /**
     * Takes a chunk that has arrived and was verified. Its buffer may be used again when this
     * returns. If its bytes are lost on their way, the reader refuses the chunk.
     *
     * @param bytes those before the position; the position and the limit change
     */
    void put(int number, ByteBuffer bytes);

    /** Reads the chunks that were put; for any number of threads. */
    ChunkReader reader();

    /** Gives the memory back. Idempotent. */
    @Override
    void close();
  }
}
