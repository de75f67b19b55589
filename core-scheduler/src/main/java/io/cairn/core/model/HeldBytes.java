package io.cairn.core.model;

import java.io.IOException;

/**
 * The bytes of a chunk in memory that the host does not map, but whose device computes. They stay
 * where they are until this is closed. Not thread-safe.
 */
public interface HeldBytes extends AutoCloseable {
  /**
   * CRC32C of the bytes. The device computes it, and only the checksum passes to the host.
   *
   * @throws IOException naming the memory and the cause, if the device cannot tell
   */
  int checksum() throws IOException;

  /** Ends the use of the bytes. Idempotent. */
  @Override
  void close();
}
