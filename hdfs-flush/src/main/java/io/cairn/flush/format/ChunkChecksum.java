package io.cairn.flush.format;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.zip.CRC32C;

/** Computes the CRC32C of chunks without allocating per chunk. Not thread-safe. */
public final class ChunkChecksum {
  private final CRC32C crc = new CRC32C();

  /** Creates an instance. */
  public ChunkChecksum() {}

  /**
   * The checksum of the bytes from {@code from} to the buffer's position. Position and limit are
   * unchanged afterwards.
   *
   * @param from index of the first byte
   */
  public int before(ByteBuffer buffer, int from) {
    int end = buffer.position();
    int limit = buffer.limit();
    crc.reset();
    buffer.limit(end).position(from);
    crc.update(buffer);
    buffer.limit(limit);
    return (int) crc.getValue();
  }

  /** The representation of a checksum in messages. */
  public static String show(int checksum) {
    return String.format(Locale.ROOT, "0x%08x", checksum);
  }
}
