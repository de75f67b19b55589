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
   * Gives all bytes written so far the store's {@linkplain Durability durability}, at once, or when
   * the file is closed if the store shows it only then. Closing alone does not: an unsynced file
   * may be lost or truncated, and a store that shows files when they are closed may drop it.
   */
  void sync() throws IOException;

  /**
   * Closes the file. Idempotent. A file counts as written only after this has returned.
   *
   * @throws java.nio.file.FileAlreadyExistsException if the store shows files when they are closed,
   *     and the name exists by now
   */
  @Override
  void close() throws IOException;
}
