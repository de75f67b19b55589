package io.cairn.cache.history;

import io.cairn.core.model.Level;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Memory or files below the device, in chunks of one length. Thread-safe for different chunks: the
 * {@link Room} says who has which.
 */
interface Shelf extends Closeable {
  /** For messages and counts: "host memory", "files". */
  String name();

  /** The level whose failures a state here survives; {@link Level#DEVICE} ends with the process. */
  Level level();

  /**
   * Writes whole chunks, the first to this place, each of the others behind it.
   *
   * @param bytes a direct buffer; all that remains is written; its position is undefined then
   */
  void write(int chunk, ByteBuffer bytes) throws IOException;

  /**
   * Fills a buffer with the bytes that were written from a chunk on.
   *
   * @param into a direct buffer; all that remains is filled; its position is undefined then
   */
  void read(int chunk, ByteBuffer into) throws IOException;

  /** Whether one buffer may hold both chunks: the second follows the first. */
  boolean follows(int chunk, int next);

  @Override
  void close() throws IOException;
}
