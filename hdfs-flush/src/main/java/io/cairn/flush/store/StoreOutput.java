package io.cairn.flush.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes a new file, front to back. Not thread-safe. */
public interface StoreOutput extends Closeable {
  /** Appends all remaining bytes. */
  void write(ByteBuffer bytes) throws IOException;

  /** Bytes written so far. */
  long position();

  /**
   * Gives all bytes written so far the store's {@linkplain Durability durability}. Closing does
   * not: an unsynced file may be lost or truncated.
   */
  void sync() throws IOException;

  /** Closes the file. Idempotent. */
  @Override
  void close() throws IOException;
}
