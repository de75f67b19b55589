package io.cairn.flush.codec;

import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;

/** Compresses and decompresses between direct buffers. Not thread-safe. */
interface Codec extends Closeable {
  /** The most bytes that so many can become. */
  int mostCompressed(int bytes);

  /**
   * Compresses.
   *
   * @param from its {@code bytes} bytes from {@code at} on; unchanged
   * @param into takes {@link #mostCompressed} from {@code to} on; position and limit are unchanged
   * @return the compressed length
   */
  int compress(ByteBuffer from, int at, int bytes, ByteBuffer into, int to);

  /**
   * Decompresses bytes of unknown origin. Writes within the span of {@code into} only, and
   * allocates nothing by what the bytes say.
   *
   * @param from between position and limit; unchanged
   * @param into filled from position to limit, which are unchanged
   * @throws DataFormatException if the bytes are malformed, or do not give exactly that length
   */
  void decompress(ByteBuffer from, ByteBuffer into) throws DataFormatException;

  /** Frees native memory; the codec is not used afterwards. */
  @Override
  void close();
}
