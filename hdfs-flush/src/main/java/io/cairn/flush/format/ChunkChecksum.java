package io.cairn.flush.format;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.zip.CRC32C;

/** CRC32C of chunks, without allocating per chunk. Not thread-safe. */
public final class ChunkChecksum {
  private final CRC32C crc = new CRC32C();

  /** A new one. */
  public ChunkChecksum() {}

  /**
   * The checksum of the bytes before the buffer's position.
   *
   * @param from where they begin; position and limit are unchanged afterwards
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

  /** A checksum as messages show it. */
  public static String show(int checksum) {
    return String.format(Locale.ROOT, "0x%08x", checksum);
  }
}
