package io.cairn.flush.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads a file at any position. Not thread-safe. */
public interface StoreInput extends Closeable {
  /** Length of the file when it was opened. */
  long length() throws IOException;

  /**
   * Fills the remaining space of {@code into} from {@code position} on.
   *
   * @throws java.io.EOFException if the file ends before, and never for a failure that may pass;
   *     names file, position and length
   */
  void readFully(long position, ByteBuffer into) throws IOException;
}
