package io.cairn.core.model;

import java.nio.ByteBuffer;

/**
 * Bytes in memory that this process maps, which stay mapped until this is closed. Not thread-safe.
 */
public interface MappedBytes extends AutoCloseable {
  /** The bytes, from index 0 to the capacity; not to be used after {@link #close}. */
  ByteBuffer buffer();

  /** Ends the use of the bytes. Idempotent. */
  @Override
  void close();
}
