package io.cairn.flush.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A new file being written, front to back. Not thread-safe. */
public interface StoreOutput extends Closeable {
  /** Appends the remaining bytes, all of them. */
  void write(ByteBuffer bytes) throws IOException;

  /** Bytes written so far. */
  long position();

  /**
   * Makes everything written so far survive what the store promises to survive. Closing does not do
   * that: an unsynced file may be lost, or be found shorter than it was.
   */
  void sync() throws IOException;

  /** Ends writing. Idempotent. */
  @Override
  void close() throws IOException;
}
